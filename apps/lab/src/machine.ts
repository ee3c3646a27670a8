import { cpus, totalmem } from 'node:os'

/** Description of this machine: processor, cores, memory, Node. */
export function machineName(): string {
  const all = cpus()
  const model = all[0]?.model.trim() || 'processador desconhecido'
  const cores = `${all.length} ${all.length === 1 ? 'núcleo' : 'núcleos'}`
  return `${model}, ${cores}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`
}
