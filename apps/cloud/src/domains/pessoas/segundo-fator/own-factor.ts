import { randomBytes } from 'node:crypto'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { SegundoFator, SegundoFatorPedido } from '@vigia/contracts/segundo-fator'
import { hashActivationCode, newActivationCode } from '../../../adapters/one-time-code.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import { auditSegundoFator } from '../../../audit/audit-segundo-fator.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { deleteSessionsOf } from '../../../db/sessoes.ts'
import { transact } from '../../../db/transaction.ts'
import { findUsuario } from '../../../db/usuarios.ts'
import { type Caller, notFound, requireLogin } from '../../../http/caller.ts'
import { requirePassword } from '../usuarios/require-password.ts'
import { openSecret } from './check-factor.ts'
import type { SegundoFatorDeps } from './deps.ts'
import { endUnentitledQuiosques } from './requirement.ts'
import { clearFactor, confirmFactor, lockFactor, replaceRecoveryCodes, saveUnconfirmed } from './store.ts'
import { matchingStep, otpauthUri, toBase32 } from './totp.ts'

/** RFC 4226 section 4 recommends 160 bits. */
const SECRET_BYTES = 20
const RECOVERY_CODES = 10
/** Time to confirm an enrolment. */
const ENROLMENT_MS = 15 * 60_000

const off: SegundoFator = { ligado: false, segredo: null, otpauth: null, codigos_recuperacao: null }

/**
 * Enables (`iniciar`, then `confirmar`) or disables the second factor of the caller's login, or replaces its recovery
 * codes. All steps that a stolen session could misuse require the password. Enabling it ends all sessions of the login
 * except the caller's.
 * @throws VigiaError `validacao` (wrong password or code), `conflito` (already enabled, not enabled, enrolment missing
 * or expired), `muitas_requisicoes`, `proibido` (API key)
 */
export async function changeOwnFactor(
  deps: SegundoFatorDeps,
  caller: Caller,
  pedido: SegundoFatorPedido,
): Promise<SegundoFator> {
  const usuario = await findUsuario(deps.db, requireLogin(caller))
  if (!usuario) throw notFound('Login não encontrado.')
  if (pedido.acao === 'confirmar') return confirm(deps, caller, usuario, pedido.codigo)
  await requirePassword(deps, usuario, { senha: pedido.senha, campo: 'senha', endereco: caller.origem.endereco })
  if (pedido.acao === 'iniciar') return begin(deps, usuario)
  return pedido.acao === 'remover' ? remove(deps, caller, usuario) : renewCodes(deps, caller, usuario)
}

async function begin({ db, clock, box }: SegundoFatorDeps, { id, username }: UsuarioRow): Promise<SegundoFator> {
  const segredo = toBase32(randomBytes(SECRET_BYTES))
  const sealed = box.seal(segredo, secretPurposes.segundoFator(id))
  if (!(await saveUnconfirmed(db, id, sealed, clock.now()))) throw alreadyOn()
  return { ...off, segredo, otpauth: otpauthUri(username, segredo) }
}

async function confirm(
  deps: SegundoFatorDeps,
  caller: Caller,
  usuario: UsuarioRow,
  codigo: string,
): Promise<SegundoFator> {
  const { db, clock, box } = deps
  const { id, segundo_fator_cifrado: sealed, segundo_fator_em: begunAt } = usuario
  const now = clock.now()
  if (usuario.segundo_fator_ativo === 1) throw alreadyOn()
  if (sealed === null || begunAt === null || begunAt < now - ENROLMENT_MS) throw notBegun()
  const step = await codeStep(deps, caller, usuario, codigo, openSecret(box, usuario))
  const { codes, hashes } = newRecoveryCodes()
  await transact(db, async (tx) => {
    if (!(await confirmFactor(tx, id, { sealed, step, now }))) throw notBegun()
    await replaceRecoveryCodes(tx, id, hashes)
    await deleteSessionsOf(tx, id, caller.sessao?.id ?? null)
    await auditSegundoFator(tx, now, caller, 'criar', usuario)
  })
  deps.sessionEnded()
  return { ...off, ligado: true, codigos_recuperacao: codes }
}

/** The time step of the code. @throws VigiaError `validacao`, `muitas_requisicoes`. */
async function codeStep(
  { clock, codeLimit }: SegundoFatorDeps,
  { origem }: Caller,
  { id }: UsuarioRow,
  codigo: string,
  secret: Buffer,
): Promise<number> {
  const wrong = new VigiaError('nao_autenticado', {
    detalhe: 'O código não confere. Veja se o relógio do celular está certo e digite o código que aparece agora.',
  })
  const check = async () => {
    const step = matchingStep(secret, codigo.replace(/[\s-]/g, ''), clock.now())
    if (step === null) throw wrong
    return step
  }
  return codeLimit.guard(`login:${id}`, origem.endereco, check).catch((error) => {
    throw error === wrong ? invalid(['body', 'codigo'], wrong.detalhe, 'wrong_code') : error
  })
}

async function remove(
  { db, clock, sessionEnded }: SegundoFatorDeps,
  caller: Caller,
  usuario: UsuarioRow,
): Promise<SegundoFator> {
  await transact(db, async (tx) => {
    if (!(await clearFactor(tx, usuario.id))) throw notOn()
    await auditSegundoFator(tx, clock.now(), caller, 'remover', usuario)
    await endUnentitledQuiosques(tx, clock.now(), caller, { ...usuario, segundo_fator_ativo: 0 })
  })
  sessionEnded()
  return off
}

async function renewCodes({ db, clock }: SegundoFatorDeps, caller: Caller, usuario: UsuarioRow): Promise<SegundoFator> {
  const { codes, hashes } = newRecoveryCodes()
  await transact(db, async (tx) => {
    if (!(await lockFactor(tx, usuario.id))) throw notOn()
    await replaceRecoveryCodes(tx, usuario.id, hashes)
    await auditSegundoFator(tx, clock.now(), caller, 'trocar_segredo', usuario)
  })
  return { ...off, ligado: true, codigos_recuperacao: codes }
}

function newRecoveryCodes(): { readonly codes: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newActivationCode)
  return { codes, hashes: codes.map((code) => hashActivationCode(code) ?? '') }
}

const alreadyOn = () =>
  new VigiaError('conflito', {
    detalhe: 'O segundo fator deste login já está ligado. Para trocar de celular, desligue-o antes.',
  })
const notOn = () => new VigiaError('conflito', { detalhe: 'O segundo fator deste login não está ligado.' })
const notBegun = () =>
  new VigiaError('conflito', { detalhe: 'O tempo para confirmar acabou. Comece de novo a ligar o segundo fator.' })
