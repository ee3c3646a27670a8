import { type NomeIa, nomesIas } from './catalogue.ts'

/**
 * The export `name` of `<folder>/<entry>.ts` of every IA. Imported by path, so that a program loads only the entries
 * that it uses and registro.ts needs one line per IA. Throws when a folder lacks the file or the export.
 */
export async function loadEntries<T>(entry: 'rule' | 'evidence' | 'judge', name: string): Promise<Record<NomeIa, T>> {
  const entries = nomesIas.map(async (nome) => {
    const module: Record<string, T> = await import(`./${nome}/${entry}.ts`)
    if (!Object.hasOwn(module, name)) throw new Error(`packages/ias/src/${nome}/${entry}.ts exports no ${name}`)
    return [nome, module[name]]
  })
  return Object.fromEntries(await Promise.all(entries))
}
