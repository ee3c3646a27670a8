import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildRelease } from './build-release.ts'
import { type Architecture, architectures, type Manifest } from './manifest.ts'
import { newPrivateKey, publicKeyFile } from './minisign.ts'
import { Refusal } from './refusal.ts'

const HELP = `Monta uma versão: os pacotes de central e caixa, com manifestos, licenças, SHA256SUMS e assinatura.

  npm run release -- --saida PASTA

  --saida PASTA        onde a versão aparece; a pasta não existe ou está vazia
  --arquitetura NOME   amd64 ou arm64; sem esta opção, as duas
  --pacotes PASTA      pacotes guardados por hash; o que falta é baixado (padrão: node_modules/.cache/release)
  --chave ARQUIVO      chave de versão; sem ela, a versão não é assinada

  npm run release -- --nova-chave ARQUIVO   cria uma chave de versão, e ARQUIVO.pub com a parte pública
`

const OPTIONS = {
  saida: { type: 'string' },
  arquitetura: { type: 'string' },
  pacotes: { type: 'string' },
  chave: { type: 'string' },
  'nova-chave': { type: 'string' },
  ajuda: { type: 'boolean', short: 'h' },
} as const

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1).replace('.', ',')
const total = (manifest: Manifest, size: 'bytes' | 'bytes_instalados') =>
  megabytes(manifest.partes.reduce((sum, part) => sum + part[size], 0))

function makeKey(file: string): string {
  if (existsSync(file)) throw new Refusal(`${file} já existe; uma chave nunca é substituída.`)
  const pem = newPrivateKey()
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' })
  writeFileSync(`${file}.pub`, publicKeyFile(pem))
  return (
    `Chave criada em ${file}. Guarde-a fora do repositório e faça uma cópia. ` +
    `A parte pública está em ${file}.pub.\n`
  )
}

function chosen(name: string | undefined): readonly Architecture[] {
  const found = architectures.filter((one) => name === undefined || one === name)
  if (found.length === 0) throw new Refusal(`Arquitetura desconhecida: ${name}. As que existem: amd64, arm64.`)
  return found
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
  }
}

/** Carries out the command on the checkout `root` and returns the exit status. */
export function runCommand(args: readonly string[], root: string, print: (text: string) => void): number {
  try {
    const values = parse(args)
    if (values.ajuda) print(HELP)
    else if (values['nova-chave'] !== undefined) print(makeKey(values['nova-chave']))
    else if (values.saida === undefined) throw new Refusal(`Falta --saida PASTA.\n\n${HELP}`)
    else {
      const manifests = buildRelease({
        root,
        saida: values.saida,
        pacotes: values.pacotes ?? join(root, 'node_modules/.cache/release'),
        componentes: ['edge', 'central'],
        arquiteturas: chosen(values.arquitetura),
        chave: values.chave ?? null,
        print: (line) => print(`${line}\n`),
      })
      for (const one of manifests)
        print(
          `${one.componente} ${one.versao} ${one.arquitetura}: ${total(one, 'bytes')} MB, ` +
            `instalado ${total(one, 'bytes_instalados')} MB\n`,
        )
      if (values.chave === undefined) print('Sem --chave: esta versão não está assinada.\n')
    }
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    print(`${error.message}\n`)
    return 1
  }
}
