// Package dump reads what lscpu, lstopo, numactl and sysfs say about a machine.
//
// [Read] takes one input and tells its format from the content; [ReadPath]
// also takes archives and directories. What comes back are [Facts]: the parts
// of the machine as sets of Linux CPU numbers, with nothing added. What an
// input does not tell is nil, absent or the empty string, never a zero that
// stands in for it. Where an input is known to be wrong or rounded, the Facts
// carry a note. [Merge] joins what several inputs say about one machine and
// lists where they disagree.
//
// These formats are read:
//
//   - lscpu: the summary as text and with -J, flat or hierarchic, with -x and
//     -B, one CPU type or several; -e, -p and -C as text, -e and -C with -J.
//     The keys may be in English, Czech, Danish, German, Spanish, French,
//     Japanese, Korean, Dutch, Polish, both Portuguese, Russian, Swedish,
//     Turkish, Ukrainian, or both Chinese; numbers may have decimal commas.
//   - hwloc XML of versions 1.0 to 3.0 (lstopo --of xml). Its text for humans
//     (lstopo --of console) is refused, because it leaves out CPU numbers.
//   - numactl -H, also with wrapped lines or prefixed by a logger.
//   - A tree of /sys, with or without /proc/cpuinfo: a directory, or a tar
//     archive, plain or compressed by gzip or bzip2. Nothing is unpacked to
//     disk and symbolic links are followed inside the tree only.
//   - /proc/cpuinfo of x86, Arm, POWER, s390, RISC-V and LoongArch.
//
// A text may hold several outputs one after the other, as a mail does.
package dump
