import type { CalibracaoView } from '@vigia/contracts/calibracao'
import { VigiaError } from '@vigia/contracts/errors'
import { catalogoIas, janelaDoClipe, type Limiar, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { ALTERACAO } from './annotations.ts'
import { cameraLink } from './camera-summary.ts'
import { cameraId } from './ids.ts'
import { somethingToChange } from './something-to-change.ts'

/** The thresholds of an IA. The span of its clips does not change its events, and the list of tools has a limit. */
const thresholdsOf = (nome: NomeIa): readonly [string, Limiar][] =>
  Object.entries(catalogoIas[nome].limiares).filter(([limiar]) => !Object.hasOwn(janelaDoClipe, limiar))

const every = nomesIas.flatMap(thresholdsOf)

/**
 * One field for each threshold name of the catalogue, with the widest limits of all IAs. The route checks the limits of
 * the chosen IA. null restores the default.
 */
function thresholdField(nome: string) {
  const all = every.flatMap(([name, limiar]) => (name === nome ? [limiar] : []))
  const [first] = all
  if (!first) throw new Error(`no threshold is called ${nome}`)
  const minimo = Math.min(...all.map((limiar) => limiar.minimo))
  const maximo = Math.max(...all.map((limiar) => limiar.maximo))
  const unit = first.unidade === 'booleano' ? 'verdadeiro ou falso' : `${first.unidade}, de ${minimo} a ${maximo}`
  return (first.unidade === 'booleano' ? z.boolean() : z.number().min(minimo).max(maximo))
    .nullable()
    .optional()
    .describe(`Em ${unit}.`)
}

const limiares = Object.fromEntries(
  [...new Set(every.map(([nome]) => nome))].map((nome) => [nome, thresholdField(nome)]),
)

const valores = z.record(z.string(), z.union([z.number(), z.boolean()]))

/** Error with the field names of the tool: the route would name a camera field that the agent did not send. */
const notOf = (ia: string, foreign: readonly string[], known: readonly string[]): VigiaError =>
  new VigiaError('validacao', {
    detalhe: 'Dados inválidos.',
    itens: foreign.map((limiar) => ({
      loc: ['body', limiar],
      msg: `A IA ${ia} não tem este limiar. Os dela: ${known.join(', ')}.`,
      type: 'extra_forbidden',
    })),
  })

export const changeCalibration = defineTool({
  nome: 'alterar_calibracao',
  titulo: 'Alterar calibração',
  descricao:
    'Muda, na hora, os limiares enviados de uma IA de uma câmera; null volta ao padrão. Altos demais ' +
    'escondem eventos verdadeiros: leia obter_calibracao e diga à pessoa o que vai mudar.',
  entrada: somethingToChange(
    z.strictObject({
      camera_id: cameraId,
      ia: z.enum(nomesIas).describe('A IA dos limiares.'),
      ...limiares,
    }),
    'camera_id',
    'ia',
  ),
  saida: z.object({
    camera_id: z.int().describe('A câmera que mudou.'),
    ia: z.enum(nomesIas).describe('A IA que mudou.'),
    antes: valores.describe('Limiares em vigor desta IA, como eram.'),
    depois: valores.describe('Os mesmos, como estão agora.'),
  }),
  operacoes: ['verCalibracao', 'alterarCamera'],
  anotacoes: ALTERACAO,
  run: async ({ camera_id, ia, ...given }, ctx) => {
    const params = { camera_id: String(camera_id) }
    const known = Object.fromEntries(thresholdsOf(ia))
    const foreign = Object.keys(given).filter((limiar) => !(limiar in known))
    if (foreign.length > 0) throw notOf(ia, foreign, Object.keys(known))
    const read = () => ctx.json<CalibracaoView>('verCalibracao', { params })
    const before = await read()
    const merged = Object.entries({ ...before.salva[ia], ...given }).filter(([, value]) => value !== null)
    const config_ia = { ...before.salva, [ia]: Object.fromEntries(merged) }
    await ctx.json('alterarCamera', { params, json: { config_ia } })
    const after = await read()
    return {
      dados: { camera_id, ia, antes: before.efetiva[ia], depois: after.efetiva[ia] },
      vinculos: [cameraLink(camera_id)],
    }
  },
})
