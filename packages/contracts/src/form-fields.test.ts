import { expect, it } from 'vitest'
import { z } from 'zod'
import { cameraPatchSchema, modoBConfigSchema } from './cameras.ts'
import { fieldsOf } from './form-fields.ts'

it('reads type, bounds, options and default of a field', () => {
  expect(
    fieldsOf({
      ativo: z.boolean().default(true),
      quadros: z.int().min(1).max(9).default(3),
      conf: z.number().min(0).nullish(),
      papel: z.enum(['entrada', 'saida']).nullable().default(null),
      nome: z.string().max(80),
      livre: z.int(),
    }),
  ).toEqual([
    { name: 'ativo', nullable: false, fallback: true, kind: 'boolean' },
    { name: 'quadros', nullable: false, fallback: 3, kind: 'number', whole: true, min: 1, max: 9 },
    { name: 'conf', nullable: true, fallback: undefined, kind: 'number', whole: false, min: 0, max: null },
    { name: 'papel', nullable: true, fallback: null, kind: 'choice', options: ['entrada', 'saida'] },
    { name: 'nome', nullable: false, fallback: undefined, kind: 'text', max: 80 },
    { name: 'livre', nullable: false, fallback: undefined, kind: 'number', whole: true, min: null, max: null },
  ])
})

it('leaves out fields that need a control of their own', () => {
  const names = (shape: z.ZodRawShape) => fieldsOf(shape).map(({ name }) => name)
  expect(names(modoBConfigSchema.shape)).not.toContain('regiao')
  expect(names(modoBConfigSchema.shape)).toEqual(expect.arrayContaining(['ativo', 'conf_placa', 'papel', 'local']))
  expect(names(cameraPatchSchema.shape)).toEqual(['nome', 'rtsp_url', 'sub_rtsp_url', 'ativa'])
})

it('reads the bound of a short text and of an address', () => {
  expect(fieldsOf(cameraPatchSchema.shape)).toMatchObject([{ max: 200 }, { max: 2048 }, { max: 2048 }, {}])
})
