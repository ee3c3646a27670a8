import { DataError } from './errors.ts'

type Sentence = (where: string, detail: string) => string

const certificate: Sentence = (where, detail) =>
  `O certificado do PostgreSQL em ${where} não confere (${detail}). Confira o nome do servidor e sslrootcert em ` +
  'VIGIA_BANCO. Nada foi mudado.'

const unreachable: Sentence = (where, detail) =>
  `O PostgreSQL em ${where} não responde (${detail}). Confira VIGIA_BANCO, a rede e se o servidor está ligado.`

/** By the codes of Node's network and TLS errors, and by SQLSTATE (PostgreSQL manual, appendix A). */
const sentences: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate,
  CERT_HAS_EXPIRED: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  UNABLE_TO_GET_ISSUER_CERT: certificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  ENOENT: (_where, detail) => `O arquivo de sslrootcert em VIGIA_BANCO não existe (${detail}).`,
  '28P01': (where) => `O PostgreSQL em ${where} recusou o usuário ou a senha de VIGIA_BANCO. Corrija-os.`,
  '28000': (where, detail) => `O PostgreSQL em ${where} não aceita esta conexão (${detail}). Confira o pg_hba.conf.`,
  '3D000': (where, detail) => `O banco de VIGIA_BANCO não existe em ${where} (${detail}). Crie-o com createdb.`,
  '42501': (where, detail) =>
    `O usuário de VIGIA_BANCO não tem permissão em ${where} (${detail}). Torne-o dono do banco.`,
  '53300': (where) =>
    `O PostgreSQL em ${where} não tem conexões livres. Aumente max_connections ou reduza VIGIA_BANCO_CONEXOES.`,
  '57P03': (where) => `O PostgreSQL em ${where} ainda está iniciando. Espere e inicie a central de novo.`,
}

/** SQLSTATE of a server that stops, starts, or has no free connection; `08`: connection exceptions (appendix A). */
const AWAY = /^(08\w{3}|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/
/** Beginnings of messages of pg and pg-pool 8, which have no code. */
const AWAY_TEXTS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed',
]

/** Whether the failed query did not reach PostgreSQL, or its answer did not come. A write may have been committed. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && AWAY.test(String(error.code))) || AWAY_TEXTS.some((text) => error.message.startsWith(text)))

/** Whether PostgreSQL ended the statement at its `statement_timeout` (`query_canceled`). */
export const isStatementLate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014'

/** A failure to open the database at `url` as advice for the operator, without the password; else `error` itself. */
export function explainPostgres(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error
  const where = new URL(url).host
  // The driver has no code for a server without TLS.
  if (/does not support SSL/.test(error.message))
    return new DataError(`O PostgreSQL em ${where} não oferece TLS, e sslmode em VIGIA_BANCO o exige. Ligue ssl nele.`)
  const sentence = 'code' in error ? sentences[String(error.code)] : undefined
  return sentence === undefined ? error : new DataError(sentence(where, error.message), { cause: error })
}
