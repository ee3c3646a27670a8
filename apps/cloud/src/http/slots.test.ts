import { expect, it } from 'vitest'
import { createPlaces } from './slots.ts'

it('gives each login its places, and takes each back once', () => {
  const places = createPlaces(2, { detalhe: 'Espere.', tentarEmS: 3 })
  const [first, second] = [places.take('login:1'), places.take('login:1')]
  const refused = expect.objectContaining({ code: 'muitas_requisicoes', tentarEmS: 3 })
  expect(() => places.take('login:1')).toThrow(refused)
  places.take('login:2')
  first()
  first()
  const third = places.take('login:1')
  expect(() => places.take('login:1')).toThrow(refused)
  second()
  third()
  for (let i = 0; i < 2; i += 1) places.take('login:1')
  expect(() => places.take('login:1')).toThrow(refused)
})
