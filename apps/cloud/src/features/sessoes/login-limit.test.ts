import { VigiaError } from '@vigia/contracts/errors'
import { beforeEach, expect, it } from 'vitest'
import { createLoginLimit, type LoginLimit } from './login-limit.ts'

let now: number
let limit: LoginLimit
beforeEach(() => {
  now = 0
  limit = createLoginLimit(() => now)
})

const right = async () => 'entrou'
const wrong = async () => {
  throw new VigiaError('nao_autenticado', { detalhe: 'x' })
}
/** The outcome as one word. */
const attempt = (task: () => Promise<string>, address = '203.0.113.1', name = 'ana') =>
  limit.guard(name, address, task).catch((error: VigiaError) => error.code)
const fail = async (times: number, address?: string) => {
  for (let i = 0; i < times; i += 1) expect(await attempt(wrong, address)).toBe('nao_autenticado')
}

it('stops a name at an address after ten failures, also with the right password, until the window ends', async () => {
  await fail(10)
  now = 299_999
  expect(await attempt(right)).toBe('muitas_requisicoes')
  await expect(limit.guard('ana', '203.0.113.1', right)).rejects.toMatchObject({ tentarEmS: 0.001 })
  now = 300_000
  expect(await attempt(right)).toBe('entrou')
})

it('does not stop other names or addresses', async () => {
  await fail(10)
  expect(await attempt(right, '203.0.113.2')).toBe('entrou')
  expect(await attempt(right, '203.0.113.1', 'bia')).toBe('entrou')
})

it('forgets failures after a success, and counts nothing but failures', async () => {
  await fail(9)
  expect(await attempt(right)).toBe('entrou')
  await fail(9)
  const broken = () => Promise.reject(new VigiaError('indisponivel', { detalhe: 'x' }))
  for (let i = 0; i < 20; i += 1) expect(await attempt(broken)).toBe('indisponivel')
  expect(await attempt(right)).toBe('entrou')
})

it('gives a burst of guesses no more answers than guesses one by one', async () => {
  const burst = await Promise.all(Array.from({ length: 50 }, () => attempt(wrong)))
  expect(burst.filter((outcome) => outcome === 'nao_autenticado')).toHaveLength(10)
  expect(await attempt(right)).toBe('muitas_requisicoes')
})

it('lets many sign in at once', async () => {
  const many = await Promise.all(Array.from({ length: 50 }, () => attempt(right)))
  expect(new Set(many)).toEqual(new Set(['entrou']))
})

it('takes the addresses of one IPv6 network as one', async () => {
  await fail(10, '2001:db8:1:2::1')
  expect(await attempt(right, '2001:db8:1:2:ffff::9')).toBe('muitas_requisicoes')
  expect(await attempt(right, '2001:db8:1:3::1')).toBe('entrou')
})

it('remembers a bounded number of names', async () => {
  await fail(10)
  for (let i = 0; i < 20_000; i += 1) await attempt(wrong, '203.0.113.9', `nome${i}`)
  expect(await attempt(right)).toBe('entrou')
})
