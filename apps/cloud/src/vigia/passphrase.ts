import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError, type Context } from './command.ts'

const MIN_CHARS = 12
const FILE = 'VIGIA_COPIA_SENHA_ARQUIVO'
const TEXT = 'VIGIA_COPIA_SENHA'

type Asking = Pick<Context, 'env' | 'ask'>

/** Reads the passphrase of an existing backup. @throws CommandError if there is none */
export async function readPassphrase(asking: Asking): Promise<string> {
  return (await given(asking)) ?? (await asking.ask('Senha da cópia: '))
}

/** Reads the passphrase of a new backup; a typed one twice. @throws CommandError for a short one */
export async function newPassphrase(asking: Asking): Promise<string> {
  const fixed = await given(asking)
  const passphrase = fixed ?? (await asking.ask('Senha da cópia: '))
  if ([...passphrase].length < MIN_CHARS)
    throw new CommandError(`A senha da cópia é curta: use pelo menos ${MIN_CHARS} caracteres.`)
  if (fixed === null && (await asking.ask('A mesma senha outra vez: ')) !== passphrase)
    throw new CommandError('As duas senhas são diferentes. Nada foi escrito.')
  return passphrase
}

/** From the environment; null: ask for it. */
async function given({ env }: Pick<Context, 'env'>): Promise<string | null> {
  const file = env[FILE]
  if (!file) return env[TEXT] || null
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`Não consegui ler ${file} (${FILE}). Confira o nome e as permissões.`)
  })
  const [line = ''] = text.split(/\r?\n/)
  if (line === '') throw new CommandError(`A primeira linha de ${file} (${FILE}) está vazia: escreva nela a senha.`)
  return line
}

/** Asks on the terminal, without showing the answer. @throws CommandError without a terminal */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(`Falta a senha, e não há terminal para perguntar: use ${FILE} ou ${TEXT}.`)
  process.stderr.write(question)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const aborted = new AbortController()
  lines.once('SIGINT', () => aborted.abort())
  try {
    return await lines.question('', { signal: aborted.signal })
  } catch {
    throw new CommandError('Interrompido. Nada foi escrito.')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
