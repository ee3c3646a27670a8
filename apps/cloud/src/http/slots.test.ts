import { expect, it } from 'vitest'
import { createSlots } from './slots.ts'

it('limits the slots of each login and releases each slot once', () => {
  const slots = createSlots(2, { detalhe: 'Espere.', tentarEmS: 3 })
  const [first, second] = [slots.take('login:1'), slots.take('login:1')]
  const refused = expect.objectContaining({ code: 'muitas_requisicoes', tentarEmS: 3 })
  expect(() => slots.take('login:1')).toThrow(refused)
  slots.take('login:2')
  first()
  first()
  const third = slots.take('login:1')
  expect(() => slots.take('login:1')).toThrow(refused)
  second()
  third()
  for (let i = 0; i < 2; i += 1) slots.take('login:1')
  expect(() => slots.take('login:1')).toThrow(refused)
})
