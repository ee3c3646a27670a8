import { readdir, readFile } from 'node:fs/promises'

/** Processor seconds of this process (the clients) and of the programs that it has started. */
export type Cpu = Readonly<Record<'clientes' | 'central' | 'broker' | 'banco', number>>

/** Unit of the times in /proc (USER_HZ of Linux). */
const TICKS_PER_S = 100

interface Process {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
  readonly command: string
}

/** Returns null for a process that has ended, and without /proc. */
async function readProcess(pid: string): Promise<Process | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    // proc(5): after the name in parentheses come state, ppid, …, utime (14) and stime (15).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S
    return { pid: Number(pid), parent: Number(fields[1]), seconds, command }
  } catch {
    return null
  }
}

const kindOf = (command: string): keyof Cpu | null => {
  if (command.includes('unverifying-cloud')) return 'central'
  if (command.includes('mosquitto') || command.includes('apps/broker')) return 'broker'
  return command.includes('postgres') ? 'banco' : null
}

/** Times so far, of running processes. All 0 on a system without /proc. */
export async function readCpu(): Promise<Cpu> {
  const pids = await readdir('/proc').catch(() => [])
  const all = (await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(readProcess))).filter(
    (one) => one !== null,
  )
  const ofParent = Map.groupBy(all, ({ parent }) => parent)
  const cpu = { clientes: 0, central: 0, broker: 0, banco: 0 }
  cpu.clientes = all.find(({ pid }) => pid === process.pid)?.seconds ?? 0
  const left = [...(ofParent.get(process.pid) ?? [])]
  for (let one = left.pop(); one; one = left.pop()) {
    const kind = kindOf(one.command)
    if (kind !== null) cpu[kind] += one.seconds
    left.push(...(ofParent.get(one.pid) ?? []))
  }
  return cpu
}

const mapCpu = (value: (part: keyof Cpu) => number): Cpu => ({
  clientes: value('clientes'),
  central: value('central'),
  broker: value('broker'),
  banco: value('banco'),
})

/** Cores in use between two times. */
export const coresBetween = (from: Cpu, to: Cpu, seconds: number): Cpu =>
  mapCpu((part) => (to[part] - from[part]) / seconds)

export const meanCpu = (all: readonly Cpu[]): Cpu =>
  mapCpu((part) => all.reduce((sum, one) => sum + one[part], 0) / all.length)
