import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names of files with a licence or a notice, at any depth of a package. */
const NOTICE = /(^|\/)((un)?licen[cs]e|notice|copying|third[-_]?party)[^/]*$/i
/** Code that happens to have such a name. */
const CODE = /\.([cm]?[jt]sx?|json|node)$/i

/** Files with the licences of the package `name`, from a list of all its files. */
const noticesOf = (name: string, files: readonly string[]): string[] =>
  files.filter(
    (file) =>
      (NOTICE.test(file) && !CODE.test(file)) ||
      (name.startsWith('@img/sharp-libvips') && /(^|\/)README\.md$/.test(file)),
  )

/** Something inside an archive that has a licence of its own. */
export interface Licensed {
  readonly nome: string
  readonly versao: string
  /** As package.json or the card of the model states it. */
  readonly licenca: string
  readonly textos: readonly string[]
}

/** Reads the licence texts of a package from its unpacked folder. */
export const readNotices = (folder: string, name: string, files: readonly string[]): string[] =>
  noticesOf(name, files).map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())

const line = ({ nome, versao, licenca }: Licensed) => `${nome} ${versao} (${licenca})`
const RULE = '='.repeat(80)

/** Texts that a licence wants beside each copy and that packages omit. The LGPL 3 only adds to the GPL 3. */
export const standardTexts = (licenca: string): string[] =>
  licenca.startsWith('LGPL-3.0')
    ? ['LGPL-3.0', 'GPL-3.0'].map((name) =>
        readFileSync(new URL(`../licences/${name}.txt`, import.meta.url), 'utf8').trim(),
      )
    : []

/** One text file with every licence; a text that several packages share stands once, below all their names. */
export function licenceDocument(title: string, all: readonly Licensed[]): string {
  const byText = new Map<string, Licensed[]>()
  for (const one of all) for (const text of one.textos) byText.set(text, [...(byText.get(text) ?? []), one])
  const without = all.filter(({ textos }) => textos.length === 0)
  const blocks = [...byText].map(
    ([text, owners]) => `${RULE}\n${[...new Set(owners.map(line))].join('\n')}\n\n${text}\n`,
  )
  const rest = `${RULE}\nSem arquivo de licença no pacote; vale a licença que o pacote declara:\n\n`
  return [`${title}\n`, ...blocks, ...(without.length === 0 ? [] : [`${rest}${without.map(line).join('\n')}\n`])].join(
    '\n',
  )
}
