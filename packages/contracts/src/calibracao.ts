import { z } from 'zod'
import { agendaSchema } from './agenda.ts'
import { type ConfigIa, ia, type Limiar, nomesIas } from './ias.ts'

const limiarSchema = ({ unidade, minimo, maximo }: Limiar) => {
  if (unidade === 'booleano') return z.boolean()
  const whole = unidade === 'quadros' || unidade === 'pessoas' || unidade === 'objetos' || unidade === 'codigo'
  return (whole ? z.int() : z.number()).min(minimo).max(maximo)
}

/** Schema built from the catalogue: it accepts only known IAs, known thresholds of each IA and values in range. */
export const configIaSchema = z
  .strictObject(
    Object.fromEntries(
      nomesIas.map((nome) => [
        nome,
        z
          .strictObject(
            Object.fromEntries(
              Object.entries(ia(nome).limiares).map(([limiar, spec]) => [limiar, limiarSchema(spec).optional()]),
            ),
          )
          .optional(),
      ]),
    ),
  )
  .meta({
    id: 'ConfigIa',
    description: 'IA → limiar → valor: só limiares dessa IA, dentro de seus limites.',
  }) as unknown as z.ZodType<ConfigIa, ConfigIa>

const efetivaSchema = z
  .record(z.enum(nomesIas), z.record(z.string(), z.union([z.number(), z.boolean()])))
  .meta({ id: 'CalibracaoEfetiva', description: 'IA → limiar → valor.' })

export const calibracaoViewSchema = z
  .object({ salva: configIaSchema, efetiva: efetivaSchema })
  .meta({ id: 'Calibracao', description: '`salva` é o que a câmera tem de próprio; `efetiva`, o que está em vigor.' })
export type CalibracaoView = z.infer<typeof calibracaoViewSchema>

export const templatesSchema = z
  .object({
    padrao: efetivaSchema,
    templates: z.array(
      z.object({ nome: z.string(), titulo: z.string(), descricao: z.string(), config_ia: configIaSchema }),
    ),
  })
  .meta({ id: 'Templates' })

export const perfilSchema = z
  .object({
    nome: z.string(),
    titulo: z.string(),
    descricao: z.string(),
    ias: z.array(z.enum(nomesIas)),
    config_ia: configIaSchema,
    agenda: agendaSchema,
  })
  .meta({ id: 'Perfil', description: 'Caso de uso pronto: IAs, calibração e Agenda.' })
