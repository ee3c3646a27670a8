import { expect, it } from 'vitest'
import type { Movement } from './open-stays.ts'
import { pairStays } from './pair-stays.ts'

type Given = Partial<Movement> & Pick<Movement, 'placa' | 'sentido'>
const entrada = (placa: string, change: Partial<Movement> = {}): Given => ({ placa, sentido: 'entrada', ...change })
const saida = (placa: string, change: Partial<Movement> = {}): Given => ({ placa, sentido: 'saida', ...change })

/** Passages at 1, 2, 3, …; each stay as `entry-exit`, with `~` for a similar plate and `+` for a vehicle inside. */
async function pair(...given: Given[]): Promise<string[]> {
  const stays = await pairStays(
    given.map((one, at) => ({ empresa_id: 1, local: 'Garagem', ocorrido_em: at + 1, encerrada_em: null, ...one })),
  )
  return stays.map(
    ({ entrada, saida, semelhante, aberta }) =>
      `${entrada?.ocorrido_em ?? ''}-${saida?.ocorrido_em ?? ''}${semelhante ? '~' : ''}${aberta ? '+' : ''}`,
  )
}

it('pairs an entry with the next exit of its plate', async () => {
  expect(await pair(entrada('ABC1D23'), entrada('XYZ9876'), saida('ABC1D23'), entrada('ABC1D23'))).toEqual([
    '1-3',
    '2-+',
    '4-+',
  ])
})

it('pairs only within one local of one Empresa', async () => {
  expect(await pair(entrada('ABC1D23'), saida('ABC1D23', { local: 'Pátio' }))).toEqual(['1-+', '-2'])
  expect(await pair(entrada('ABC1D23'), saida('ABC1D23', { local: null }))).toEqual(['1-+', '-2'])
  expect(await pair(entrada('ABC1D23'), saida('ABC1D23', { empresa_id: 2 }))).toEqual(['1-+', '-2'])
  expect(await pair(entrada('ABC1D23', { local: null }), saida('ABC1D23', { local: null }))).toEqual(['1-2'])
})

it('pairs an exit with the only entry that differs in one symbol', async () => {
  expect(await pair(entrada('ABC1D23'), saida('ABC1D28'))).toEqual(['1-2~'])
  expect(await pair(entrada('ABC1D23'), saida('ABC1D88'))).toEqual(['1-+', '-2'])
  expect(await pair(entrada('ABC1D23'), saida('ABC1D2'))).toEqual(['1-+', '-2'])
})

it('leaves an exit alone that resembles two entries, and prefers its own plate', async () => {
  expect(await pair(entrada('ABC1D23'), entrada('ABC1D24'), saida('ABC1D28'))).toEqual(['1-+', '2-+', '-3'])
  expect(await pair(entrada('ABC1D23'), entrada('ABC1D24'), saida('ABC1D24'), saida('ABC1D28'))).toEqual([
    '1-4~',
    '2-3',
  ])
})

it('ends a stay without an exit at the next entry of its plate', async () => {
  expect(await pair(entrada('ABC1D23'), entrada('ABC1D23'), saida('ABC1D23'))).toEqual(['1-', '2-3'])
})

it('ends a stay that was ended by hand at that time', async () => {
  const byHand = entrada('ABC1D23', { encerrada_em: 2.5 })
  expect(await pair(byHand)).toEqual(['1-'])
  expect(await pair(byHand, saida('ABC1D23'))).toEqual(['1-2'])
  expect(await pair(byHand, entrada('XYZ9876'), saida('ABC1D23'), saida('ABC1D28'))).toEqual(['1-', '2-+', '-3', '-4'])
  expect(await pair(byHand, entrada('XYZ9876'), entrada('ABC1D23'), saida('ABC1D23'))).toEqual(['1-', '2-+', '3-4'])
})

it('pairs 20,000 passages within a second of the processor', async () => {
  const placas = Array.from({ length: 10_000 }, (_, at) => `ABC${String(at).padStart(4, '0')}`)
  const before = process.threadCpuUsage()
  const stays = await pair(...placas.map((placa) => entrada(placa)), ...placas.map((placa) => saida(placa)))
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(1_000)
  expect(stays.filter((stay) => /^\d+-\d+$/.test(stay))).toHaveLength(10_000)
})
