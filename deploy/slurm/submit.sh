#!/bin/sh
# Runs studies as a job array of N tasks that fill one store, and a job after them
# that writes the reports.
#
#   submit.sh [-a PARTS] [-c CPUS] N STORE OUT STUDY... [--full] [flags of mkreport run]
#
#   -a PARTS   only these parts, as of sbatch --array: 3,7 or 1-8%4
#   -c CPUS    CPUs of a task, which does as many runs at a time
#
# STORE and OUT are on a file system that all nodes share. The environment is
# handed on: MKREPORT (the command, by default mkreport), MKREPORT_RETRIES (3), and
# sbatch's own SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT and so on.
set -eu

usage() {
	sed -n '/^# *submit.sh/,/^$/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
parts= cpus=1
while getopts a:c: opt; do
	case $opt in
	a) parts=$OPTARG ;;
	c) cpus=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 4 ] || usage
n=$1 store=$2 out=$3
shift 3
case $n in
*[!0-9]* | 0*) usage ;;
esac

here=$(cd "$(dirname "$0")" && pwd)
array=$(sbatch --parsable --array="${parts:-1-$n}" --cpus-per-task="$cpus" "$here/shard.sbatch" "$n" "$store" "$@")
# Not afterok: where a task failed for good, the job would wait for ever instead of
# naming the parts that are missing.
render=$(sbatch --parsable --dependency="afterany:${array%%;*}" "$here/render.sbatch" "$n" "$store" "$out" "$@")
echo "array ${array%%;*}, then render ${render%%;*}"
