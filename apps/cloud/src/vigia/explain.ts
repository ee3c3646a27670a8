import { VigiaError } from '@vigia/contracts/errors'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { ConfigError } from '../config.ts'
import { DataError, isDamage } from '../db/errors.ts'
import { CommandError } from './command.ts'

/** Sentences for error codes of the system and of PostgreSQL; db/postgres-failures.ts has those of a connection. */
const sentences: Readonly<Record<string, string>> = {
  '53100': 'O disco do PostgreSQL está cheio: libere espaço e rode o mesmo comando outra vez.',
  '57P01': 'O PostgreSQL foi encerrado: inicie-o e rode o mesmo comando outra vez.',
  EACCES: 'Sem permissão para ler ou gravar um arquivo: rode o comando como o dono da pasta de dados.',
  SQLITE_CANTOPEN: 'Não consegui abrir o banco da pasta de dados: rode o comando como o dono dela.',
  SQLITE_BUSY: 'O banco está ocupado por outro programa. Espere e tente de novo.',
}

/** One sentence for the operator, without a secret. */
export function explain(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError || error instanceof DataError) return error.message
  if (error instanceof VigiaError) return error.detalhe
  if (!(error instanceof Error)) return `Não foi possível. ${String(error)}`
  if (isDamage(error)) return `O banco da pasta de dados está danificado (${error.message}).`
  if (unwritableDisk(error) === 'cheio') return 'O disco está cheio: libere espaço e rode o mesmo comando outra vez.'
  if (unwritableDisk(error) === 'somente_leitura') return 'O disco está somente para leitura.'
  return sentences[String(Reflect.get(error, 'code'))] ?? `Não foi possível. ${messageOf(error)}`
}

/** The cause is closer to the fault. */
const messageOf = (error: Error): string => (error.cause instanceof Error ? messageOf(error.cause) : error.message)
