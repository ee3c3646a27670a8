import { readdir, readFile } from 'node:fs/promises'

/** One process at one moment. */
export interface Sample {
  /** The program's file, e.g. `edge/src/main.ts`. */
  readonly role: string
  readonly pid: number
  /** Resident memory in bytes. */
  readonly memory: number
  readonly openFiles: number
  readonly threads: number
}

/**
 * Samples the processes of `roots` and all their descendants from Linux's /proc (proc(5)). A process that ends
 * meanwhile is skipped.
 */
export async function sampleProcesses(roots: readonly number[]): Promise<Sample[]> {
  const parents = await parentsOfAll()
  const isBelow = (pid: number): boolean =>
    roots.includes(pid) || (parents.get(pid) !== undefined && isBelow(parents.get(pid) as number))
  const found = await Promise.all([...parents.keys()].filter(isBelow).map(sample))
  return found.filter((one) => one !== null)
}

async function parentsOfAll(): Promise<Map<number, number>> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? await read(pid, 'stat') : null
    // The second field is the name in parentheses, which may contain spaces and parentheses.
    const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent !== undefined) parents.set(pid, Number(parent))
  }
  return parents
}

async function sample(pid: number): Promise<Sample | null> {
  const [status, command, files] = await Promise.all([
    read(pid, 'status'),
    read(pid, 'cmdline'),
    readdir(`/proc/${pid}/fd`).catch(() => null),
  ])
  const role = command?.split('\0').find((part) => part.endsWith('.ts'))
  if (!status || !role || !files) return null
  const value = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN)
  return {
    role: role.replace(/^.*\/apps\//, ''),
    pid,
    memory: value('VmRSS') * 1024,
    openFiles: files.length,
    threads: value('Threads'),
  }
}

const read = (pid: number, name: string): Promise<string | null> =>
  readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => null)
