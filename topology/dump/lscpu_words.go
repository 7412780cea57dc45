package dump

import "strings"

// lscpuKey is a line of the summary that matters here.
type lscpuKey int

const (
	keyOther lscpuKey = iota
	keyArch
	keyCPUs
	keyOnline
	keyOnlineMask
	keyOffline
	keyOfflineMask
	keyThreads
	keySocketCores
	keyClusterCores
	keyClusters
	keySockets
	keySocketsPerBook
	keyBooks
	keyBooksPerDrawer
	keyDrawers
	keyNodes
	keyNodeCPUs
	keyVendor
	keyMachineType
	keyFamily
	keyModel
	keyModelName
	keyStepping
	keyMaxMHz
	keyMinMHz
	keyMHz
	keyCache
	keyBoost
)

// lscpuWords holds what lscpu prints for a key in the languages that doc.go
// names, English first. A %d stands for the number of a node, a %s for the name
// of a cache. The words are those of the message catalogues of util-linux 2.43-devel.
var lscpuWords = map[lscpuKey]string{
	keyArch: "Architecture|Architektura|Arkitektur|Architektur|Arquitectura|アーキテクチャ|아키텍처|" +
		"Architectuur|Arquitetura|Архитектура|Mimari|Архітектура|架构|架構",
	keyCPUs: "CPU(s)|Počet CPU|CPU'er|Processeur(s)|CPU|CPU's|CPU(er)|İşlemciler|" +
		"Процесори",
	keyOnlineMask: "On-line CPU(s) mask|Maska zapnutých CPU|Tilkoblet cpu(er) maske|" +
		"Maske der Online-CPU(s)|Máscara de la(s) CPU(s) en línea|" +
		"Masque de processeur(s) en ligne|オンラインになっている CPU のマスク|온라인 CPU 마스크|" +
		"Online CPU's-masker|Maska aktywnych CPU|Máscara das CPUs online|" +
		"Máscara de CPU(s) on-line|Mask för aktiva CPU(er)|" +
		"Çevrimiçi işlemci(ler) maskesi|Маска робочих ЦП|在线 CPU 掩码",
	keyOnline: "On-line CPU(s) list|Seznam zapnutých CPU|Tilkoblet cpu(er) liste|" +
		"Liste der Online-CPU(s)|Lista de la(s) CPU(s) en línea|" +
		"Liste de processeur(s) en ligne|オンラインになっている CPU のリスト|온라인 CPU 목록|" +
		"Online CPU's-lijst|Lista aktywnych CPU|Lista das CPUs online|" +
		"Lista de CPU(s) on-line|Lista över aktiva CPU(er)|" +
		"Çevrimiçi işlemci(ler) listesi|Список робочих ЦП|在线 CPU 列表",
	keyOfflineMask: "Off-line CPU(s) mask|Maska vypnutých CPU|Frakoblet cpu(er) maske|" +
		"Maske der Offline-CPU(s)|Máscara de la(s) CPU(s) fuera de línea|" +
		"Masque de processeur(s) hors ligne|オフラインになっている CPU のマスク|오프라인 CPU 마스크|" +
		"Offline CPU's-masker|Maska nieaktywnych CPU|Máscara das CPUs offline|" +
		"Máscara de CPU(s) off-line|Mask för inaktiva CPU(er)|" +
		"Çevrimiçi işlemci maskesi|Маска вимкнених ЦП|离线 CPU 掩码",
	keyOffline: "Off-line CPU(s) list|Seznam vypnutých CPU|Frakoblet cpu(er) liste|" +
		"Liste der Offline-CPU(s)|Lista de la(s) CPU(s) fuera de línea|" +
		"Liste de processeur(s) hors ligne|オフラインになっている CPU のリスト|오프라인 CPU 목록|" +
		"Offline CPU's-lijst|Lista nieaktywnych CPU|Lista das CPUs offline|" +
		"Lista de CPU(s) off-line|Lista över inaktiva CPU(er)|" +
		"Çevrimiçi işlemci listesi|Список вимкнених ЦП|离线 CPU 列表",
	keyThreads: "Thread(s) per core|Vláken na jádro|Tråde per kerne|Thread(s) pro Kern|" +
		"Hilo(s) de procesamiento por núcleo|Thread(s) par cœur|コアあたりのスレッド数|코어 당 스레드|" +
		"Draden per kern|Wątków na rdzeń|Tópicos por núcleo|Thread(s) per núcleo|" +
		"Tråd(ar) per kärna|Çekirdek başına iş parçacığı|Потоків на ядро|每个核的线程数|" +
		"每核心執行緒數",
	keyClusterCores: "Core(s) per cluster|Jader na klastr|Kern(e) pro Cluster|" +
		"Núcleo(s) por «cluster»|Cœur(s) par cluster|クラスタあたりのコア数|클러스터 당 코어|" +
		"Kernen per cluster|Rdzeni na klaster|Núcleos por cluster|" +
		"Núcleo(s) por cluster|Kärnor per kluster|Ядер на кластер",
	keySocketCores: "Core(s) per socket|Jader na patici|Kerner per sokkel|Kern(e) pro Sockel|" +
		"Núcleo(s) por «socket»|Cœur(s) par socket|ソケットあたりのコア数|소켓 당 코어 수|" +
		"Kernen per voet|Rdzeni na gniazdo|Núcleos por socket|Núcleo(s) por soquete|" +
		"Ядер на сокет|Kärn(or) per uttag|Soket başına çekirdek|每个座的核数|每通訊端核心數",
	keySocketsPerBook: "Socket(s) per book|Patic na knihu|Sokler per bog|Sockel pro Buch|" +
		"«Socket(s)» por libro|Socket(s) par livre|ブックあたりのソケット数|북 당 소켓 수|" +
		"Voeten per boek|Gniazd na tom|Sockets por livro|Soquete(s) por book|" +
		"Uttag per bok|Kitap başına soket|Сокетів на книгу|每个 book 的座数",
	keyBooksPerDrawer: "Book(s) per drawer|Knih na zásuvku|Bøger per skuffe|" +
		"Buch/Bücher pro Schublade|Libro(s) por cajón|Livre(s) par tiroir|" +
		"ドロワーあたりのブック数|드로워당 북 수|Boeken per lade|Tomów na półkę|Livros por gaveta|" +
		"Book(s) por drawer|Böcker per låda|Sürgü başına kitap|Книг на шухляду|" +
		"每个抽屉里的 Book 数",
	keyDrawers: "Drawer(s)|Zásuvky|Skuffer|Schublade(n)|Cajón(es)|Tiroir(s)|ドロワー数|드로워|Lades|" +
		"Półek|Gavetas|Lådor|Sürgü(ler)|Шухляд|抽屉",
	keyBooks: "Book(s)|Knihy|Bøger|Buch/Bücher|Libro(s)|Livre(s)|ブック数|북|Boeken|Tomów|" +
		"Livros|Böcker|Kitap(lar)|Книги|Book",
	keyClusters: "Cluster(s)|Klastrů|Cluster|«Cluster(s)»|クラスタ数|클러스터|Klastrów|Kluster|" +
		"Кластери",
	keySockets: "Socket(s)|cpu socket(s)|Patic|Sokler|Sockel|«Socket(s)»|ソケット数|소켓|CPU-voeten|" +
		"Gniazd|Sockets|Soquete(s)|Сокетов|Uttag|Soket(ler)|Сокети|座",
	keyNodes: "NUMA node(s)|Uzly NUMA|NUMA-knuder|NUMA-Knoten|Modo(s) NUMA|Nœud(s) NUMA|" +
		"NUMA ノード数|NUMA 노드|NUMA-nodes|Węzłów NUMA|Nós NUMA|Nó(s) de NUMA|" +
		"NUMA nod(er)|NUMA düğümü(leri)|Вузли NUMA|NUMA 节点|NUMA 節點",
	keyNodeCPUs: "NUMA node%d CPU(s)|CPU NUMA uzlu %d|NUMA-knuder%d CPU'er|" +
		"NUMA-Knoten%d CPU(s)|CPU(s) del nodo NUMA %d|Nœud NUMA %d de processeur(s)|" +
		"NUMA ノード %d CPU|NUMA 노드%d CPU|NUMA-node%d CPU('s)|Procesory węzła NUMA %d|" +
		"CPUs de nó%d NUMA|CPU(s) de nó%d NUMA|NUMA-nod%d CPU(er)|" +
		"NUMA düğüm%d işlemci|Процесори вузла%d NUMA|NUMA 节点%d CPU",
	keyVendor: "Vendor ID|ID výrobce|Leverandør-id|Anbieterkennung|ID de fabricante|" +
		"Identifiant constructeur|ベンダー ID|제조자 ID|Producent-ID|ID producenta|" +
		"ID de fornecedor|ID прроизводителя|Tillverkar-ID|Sağlayıcı Kimliği|" +
		"Ідентифікатор виробника|厂商 ID|供應商識別號",
	keyMachineType: "Machine type|Typ stroje|Maskintype|Maschinentyp|Tipo de máquina|" +
		"Type de machine|マシンタイプ|머신 형식|Machinetype|Typ maszyny|Tipo da máquina|" +
		"Maskintyp|Makine tipi|Тип архітектури|机器类型",
	keyFamily: "CPU family|Rodina CPU|CPU-familie|Prozessorfamilie|Familia de CPU|" +
		"Famille de processeur|CPU ファミリー|CPU 계열|Rodzina CPU|Família da CPU|" +
		"Семейство ЦПУ|CPU-familj|İşlemci ailesi|Сімейство процесорів|CPU 系列|CPU 家族",
	keyModel: "Model|Modell|Modelo|Modèle|モデル|모델|Модель|型号|型號",
	keyModelName: "Model name|Název modelu|Modelnavn|Modellname|Nombre del modelo|" +
		"Nom de modèle|モデル名|모델 이름|Modelnaam|Nazwa modelu|Nome do modelo|Имя модели|" +
		"Modellnamn|Modem ismi|Назва моделі|型号名称",
	keyStepping: "Stepping|Modelserie|Revisión|Révision|ステッピング|스테핑|Wersja|Passos|Step|" +
		"Степпинг|Stegning|Adımlama|Модифікація|步进|製程",
	keyMaxMHz: "CPU max MHz|CPU max. MHz|CPU maks. MHz|Maximale Taktfrequenz der CPU|" +
		"CPU MHz máx.|Vitesse maximale du processeur en MHz|CPU 最大 MHz|최대 CPU MHz|" +
		"max. CPU-frequentie (MHz)|CPU MHz máximos|İşlemci en yüksek MHz|" +
		"Макс. частота процесора у МГц",
	keyMinMHz: "CPU min MHz|CPU min. MHz|Minimale Taktfrequenz der CPU|CPU MHz mín.|" +
		"Vitesse minimale du processeur en MHz|CPU 最小 MHz|최소 CPU MHz|" +
		"min. CPU-frequentie (MHz)|CPU MHz mínimos|İşlemci asgari MHz|" +
		"Мін. частота процесора у МГц",
	keyMHz: "CPU MHz|Vitesse du processeur en MHz|CPU-frequentie (MHz)|Частота у МГц",
	keyCache: "%s cache|%s keš|%s mellemlager|%s Cache|Caché %s|Cache %s|%s キャッシュ|%s 캐시|" +
		"%s-cache|cache %s|cache de %s|%s önbelleği|Кеш %s|%s 缓存",
	keyBoost: "Frequency boost|Navýšení frekvence|Frekvensløft|Übertaktung|" +
		"Aumento de frecuencia|Accroissement de fréquence|周波数ブースト|주파수 가속|" +
		"Frequentie-boost|Zwiększenie częstotliwości|Aumento de frequência|" +
		"Frekvenshöjning|Збільшення частоти",
}

// Words that lscpu prints for a boolean, in lower case. The letters e and k are
// left out: they mean yes in one language and no in another.
const (
	yesWords = "yes|نعم|sí|ano|ja|si|jah|bai|jaa|oui|da|igen|ya|დიახ|tak|sim|да|áno|evet|có|" +
		"是|Y|A|J|S|O|D|T|Д|C"
	noWords = "no|لا|ne|nej|nein|ei|ez|non|nem|tidak|nee|nie|não|nu|нет|не|hayır|không|否|N|" +
		"ჩრდ|Н|H"
	enabledWords = "enabled|مفعل|zapnuto|aktiveret|aktiviert|activada|activé|omogućeno|使用する|" +
		"ჩართული|활성|ingeschakeld|włączone|activado|habilitado|activată|укључено|" +
		"aktiverad|увімкнено|启用"
	disabledWords = "disabled|معطل|vypnuto|deaktiveret|deaktiviert|desactivada|désactivé|" +
		"onemogućeno|使用しない|გამორთულია|비활성|uitgeschakeld|wyłączone|desactivado|" +
		"desabilitado|dezactivată|искључено|inaktiverad|вимкнено|禁用"
)

// lscpuKeys maps a word to its key.
var lscpuKeys = func() map[string]lscpuKey {
	keys := make(map[string]lscpuKey)
	for key, words := range lscpuWords {
		for _, word := range strings.Split(words, "|") {
			keys[word] = key
		}
	}
	return keys
}()

// parseBool reads a boolean in any of the languages; ok is false for a word
// that is not known.
func parseBool(s string) (value, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, w := range []struct {
		words string
		value bool
	}{{yesWords, true}, {noWords, false}, {enabledWords, true}, {disabledWords, false}, {"true", true}, {"false", false}} {
		for _, word := range strings.Split(w.words, "|") {
			if strings.ToLower(word) == s {
				return w.value, true
			}
		}
	}
	return false, false
}
