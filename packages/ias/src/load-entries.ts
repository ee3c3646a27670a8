import { existsSync } from 'node:fs'
import { type NomeIa, nomesIas } from './catalogue.ts'

/**
 * The export `name` of `<folder>/<entry>.ts` of every IA. Imported by path, so that a program loads only the entries
 * that it uses and registro.ts needs one line per IA. Throws when a folder lacks the file or the export.
 */
export const loadEntries = async <T>(entry: 'rule' | 'evidence' | 'judge', name: string) =>
  (await load<T>(nomesIas, entry, name)) as Record<NomeIa, T>

/** The export `bench` of `<folder>/bench.ts` of every IA with this file. */
export const loadBenches = <T>(): Promise<Partial<Record<NomeIa, T>>> =>
  load<T>(
    nomesIas.filter((nome) => existsSync(new URL(`./${nome}/bench.ts`, import.meta.url))),
    'bench',
    'bench',
  )

async function load<T>(ias: readonly NomeIa[], entry: string, name: string): Promise<Partial<Record<NomeIa, T>>> {
  const entries = ias.map(async (nome) => {
    const module: Record<string, T> = await import(`./${nome}/${entry}.ts`)
    if (!Object.hasOwn(module, name)) throw new Error(`packages/ias/src/${nome}/${entry}.ts exports no ${name}`)
    return [nome, module[name]]
  })
  return Object.fromEntries(await Promise.all(entries))
}
