import type { SegundoFator } from '@vigia/contracts/segundo-fator'
import { fromBase32, stepAt, totpCode } from '../../domains/pessoas/segundo-fator/totp.ts'
import { SENHA, type TestApp } from '../clouds/test-app.ts'
import type { Client } from './client.ts'

const PATH = '/api/v1/me/segundo-fator'

/** Authenticator app and recovery codes of one login. */
export interface Phone {
  readonly segredo: string
  readonly recuperacao: readonly string[]
  /** Returns an unused code: advances the clock of the app by one step. */
  next(): string
}

/** Turns the second factor of `client`'s login on. */
export async function turnOn({ clock }: Pick<TestApp, 'clock'>, client: Client, senha: string = SENHA): Promise<Phone> {
  const { segredo } = await client.expect<SegundoFator>(200, 'POST', PATH, { acao: 'iniciar', senha })
  const secret = fromBase32(segredo ?? '')
  const codigo = totpCode(secret, stepAt(clock.now()))
  const confirmed = await client.expect<SegundoFator>(200, 'POST', PATH, { acao: 'confirmar', codigo })
  return {
    segredo: segredo ?? '',
    recuperacao: confirmed.codigos_recuperacao ?? [],
    next: () => {
      clock.advance(30_000)
      return totpCode(secret, stepAt(clock.now()))
    },
  }
}
