import { readFileSync } from 'node:fs'

/** Clock ticks a second in /proc/pid/stat: 100 on every Linux that Node runs on (sysconf(_SC_CLK_TCK)). */
const TICKS_PER_S = 100

/** CPU time of a process so far, in s; 0 after its end. proc(5): utime and stime are the 14th and 15th field. */
export function cpuSeconds(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  // The name in parentheses may contain blanks; the following fields start with the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_S
}

/** Busy CPU time of the whole machine so far, s (proc(5): all but idle and iowait). */
export function machineCpuSeconds(): number {
  const [user, nice, system, , , irq, softirq, steal] =
    read('/proc/stat').split('\n', 1)[0]?.split(/\s+/).slice(1).map(Number) ?? []
  return [user, nice, system, irq, softirq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) / TICKS_PER_S
}

/** Memory of a process, in bytes: `own` is private, `shared` is shared with others (code of libraries). */
export function memory(pid: number): { readonly own: number; readonly shared: number } {
  const status = read(`/proc/${pid}/status`)
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { own: bytes('RssAnon'), shared: bytes('RssFile') + bytes('RssShmem') }
}

export const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
