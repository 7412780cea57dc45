// Package diagram draws a machine of package topology as an SVG: sockets,
// NUMA nodes with their memory, caches, cores and CPU numbers as boxes inside
// each other, the distances of the nodes as a table, and the latencies.
//
// The picture is 960 units wide and as high as it has to be. It has no scripts
// and needs no fonts; text is text. It follows the reader's light or dark
// colours, and the same machine always gives the same bytes. Of a large
// machine one of each kind of like parts is drawn with its cores, the others
// with their CPU numbers only.
package diagram
