import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from './refusal.ts'

/** A package archive of the registry. */
export interface Wanted {
  readonly nome: string
  readonly versao: string
  /** sha512, in the form of package-lock.json. */
  readonly integridade: string
}

/** Packages of one call of npm. */
const BATCH = 40
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

const integrityOf = (file: string) => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`

/** The file of a package in the folder of kept packages: its hash names it. */
export const keptFile = (folder: string, integridade: string): string =>
  join(folder, `${Buffer.from(integridade.slice('sha512-'.length), 'base64').toString('hex')}.tgz`)

/**
 * Fetches what the folder lacks by the npm client, which knows the registry, proxy and certificates of this machine.
 * Each file, also one that was there, must have the hash of the lock.
 * @throws Refusal when a package cannot be had.
 */
export function fillKeptPackages(folder: string, wanted: readonly Wanted[], print: (line: string) => void): void {
  mkdirSync(folder, { recursive: true })
  const lacking = wanted.filter(({ integridade }) => {
    const file = keptFile(folder, integridade)
    if (existsSync(file) && integrityOf(file) !== integridade) rmSync(file)
    return !existsSync(file)
  })
  const npm = process.env.npm_execpath
  const [command = '', ...first] = npm ? [process.execPath, npm] : ['npm']
  for (let from = 0; from < lacking.length; from += BATCH) {
    print(`Baixando os pacotes ${from + 1} a ${Math.min(from + BATCH, lacking.length)} de ${lacking.length}`)
    const batch = lacking.slice(from, from + BATCH)
    const incoming = mkdtempSync(join(folder, '.novo-'))
    try {
      const specs = batch.map(({ nome, versao }) => `${nome}@${versao}`)
      const { stderr } = spawnSync(command, [...first, 'pack', ...OPTIONS, ...specs], {
        cwd: incoming,
        encoding: 'utf8',
      })
      for (const name of readdirSync(incoming)) {
        const file = join(incoming, name)
        const known = batch.find(({ integridade }) => integridade === integrityOf(file))
        if (known) renameSync(file, keptFile(folder, known.integridade))
      }
      const missing = batch.filter(({ integridade }) => !existsSync(keptFile(folder, integridade)))
      if (missing[0])
        throw new Refusal(
          `${stderr ?? ''}\nNão foi possível obter ${missing.length} pacote(s) com o conteúdo que package-lock.json ` +
            `registra; o primeiro: ${missing[0].nome} ${missing[0].versao}. ` +
            'Confira a internet e rode o comando outra vez.',
        )
    } finally {
      rmSync(incoming, { recursive: true, force: true })
    }
  }
}
