import type { Janela } from '@vigia/ias/agenda'
import { singleWindow } from '@vigia/ias/single-window'
import { z } from 'zod'
import { diasSchema } from './agenda.ts'
import { type NomeIa, nomesIas } from './ias.ts'
import { textoCurto } from './values.ts'

/** Most windows of one IA. */
export const MAX_JANELAS = 8
/** Most lists of holidays of an Empresa, and most dates of a list. */
export const MAX_LISTAS_FERIADOS = 10
export const MAX_DATAS_FERIADOS = 40

const horaSchema = (pattern: RegExp) => z.string().regex(pattern, { error: 'Use HH:00 ou HH:30, por exemplo 18:30' })

/** One window [inicio, fim) in half hours; the other meanings as in `janelaSchema`. */
export const janelaHorarioSchema = z
  .strictObject({
    dias: diasSchema,
    inicio: horaSchema(/^([01]\d|2[0-3]):[03]0$/),
    fim: horaSchema(/^(([01]\d|2[0-3]):[03]0|24:00)$/),
  })
  .meta({
    id: 'JanelaHorario',
    description:
      'Meias horas no fuso da Empresa: de `inicio` até antes de `fim`. `inicio` depois de `fim` passa da meia-noite; ' +
      'iguais, o dia inteiro.',
  })
export type JanelaHorario = z.infer<typeof janelaHorarioSchema>

export const janelasHorarioSchema = z.array(janelaHorarioSchema).min(1).max(MAX_JANELAS)

const nomeLista = textoCurto(60)

/** Holidays of one camera: a list of the Empresa, and the weekday that its dates count as. */
const feriadosCameraSchema = z
  .strictObject({
    lista: nomeLista.describe('Nome de uma lista de feriados da Empresa.'),
    dia: z.int().min(0).max(6).describe('O dia da semana como que as datas valem: 0 = segunda-feira … 6 = domingo.'),
  })
  .meta({ id: 'FeriadosCamera' })

/** IA → windows; an IA without an entry is armed 24 hours. */
export const horariosSchema = z
  .strictObject({
    ...(Object.fromEntries(nomesIas.map((nome) => [nome, janelasHorarioSchema.optional()])) as Record<
      NomeIa,
      z.ZodOptional<typeof janelasHorarioSchema>
    >),
    feriados: feriadosCameraSchema.nullish().describe('null: nenhuma data conta como outro dia.'),
  })
  .meta({
    id: 'Horarios',
    description: 'Nome da IA → janelas em que ela fica armada. IA sem entrada: sempre armada.',
    examples: [
      {
        [nomesIas[0]]: [
          { dias: [0, 1, 2, 3, 4], inicio: '18:30', fim: '06:00' },
          { dias: [5, 6], inicio: '00:00', fim: '24:00' },
        ],
      },
    ],
  })
export type Horarios = z.infer<typeof horariosSchema>

const listaFeriadosSchema = z
  .strictObject({
    nome: nomeLista,
    datas: z
      .array(z.iso.date({ error: 'Use uma data AAAA-MM-DD' }))
      .min(1)
      .max(MAX_DATAS_FERIADOS)
      .refine((datas) => new Set(datas).size === datas.length, { error: 'Data repetida' }),
  })
  .meta({ id: 'ListaFeriados' })
export type ListaFeriados = z.infer<typeof listaFeriadosSchema>

/** All lists of holidays of an Empresa. */
export const feriadosSchema = z
  .strictObject({
    listas: z
      .array(listaFeriadosSchema)
      .max(MAX_LISTAS_FERIADOS)
      .refine((listas) => new Set(listas.map(({ nome }) => nome)).size === listas.length, { error: 'Nome repetido' }),
  })
  .meta({
    id: 'Feriados',
    description: 'As listas de feriados da Empresa, inteiras: o que falta é apagado.',
    examples: [{ listas: [{ nome: 'Feriados nacionais', datas: ['2027-01-01', '2027-04-21'] }] }],
  })

/** Holidays in the desired state of a camera. */
export const feriadosDesejadosSchema = z.object({
  datas: z.array(z.string().max(10)).max(MAX_DATAS_FERIADOS),
  dia: z.int().min(0).max(6),
})

const hours = (text: string): number => Number(text.slice(0, 2)) + Number(text.slice(3)) / 60
const textOf = (hour: number): string => `${String(Math.floor(hour)).padStart(2, '0')}:${hour % 1 === 0 ? '00' : '30'}`

export const janelaOf = ({ dias, inicio, fim }: JanelaHorario): Janela & { dias: number[] } => ({
  inicio: hours(inicio),
  fim: hours(fim),
  dias: [...dias],
})
export const horarioOf = ({ dias, inicio, fim }: Janela): JanelaHorario => ({
  dias: [...dias],
  inicio: textOf(inicio),
  fim: textOf(fim),
})

/** The one window that `agenda` answers for windows of `horarios`. */
export function agendaOf(janelas: readonly JanelaHorario[]): Janela & { dias: number[] } {
  const { inicio, fim, dias } = singleWindow(janelas.map(janelaOf))
  return { inicio, fim, dias: [...dias] }
}
