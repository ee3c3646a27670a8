import { loteSchema, registroSchema } from '@vigia/contracts/candidate'
import { presencaSchema, relatoSchema } from '@vigia/contracts/edge-state'
import { extraSchema } from '@vigia/contracts/extras'
import { quadroAoVivoSchema, respostaSchema, resultadosSchema } from '@vigia/contracts/pedidos'
import { expect, it } from 'vitest'
import { z } from 'zod'

/** All that an edge sends, but pictures and parts of streams, which have no times of day. */
const sent: Readonly<Record<string, z.ZodType>> = {
  registro: registroSchema,
  extra: extraSchema,
  relato: relatoSchema,
  resposta: respostaSchema,
  'quadro ao vivo': quadroAoVivoSchema,
  lote: loteSchema,
  presenca: presencaSchema,
  ...Object.fromEntries(Object.entries(resultadosSchema).map(([acao, schema]) => [`resultado ${acao}`, schema])),
}

/** Decision for each time of an edge: its value if the edge did not know the time when it took it. */
const times: Readonly<Record<string, string>> = {
  'registro.ocorrido_em': 'corrected, else earliest and marked (record-times.ts)',
  'registro.hora_incerta.de': 'the mark',
  'registro.hora_incerta.ate': 'the mark',
  'registro.inicio': 'corrected with ocorrido_em, which has the mark',
  'registro.fim': 'corrected with ocorrido_em, which has the mark',
  'registro.ocorrido_de': 'corrected, else earliest (record-times.ts)',
  'registro.ocorrido_ate': 'corrected, else latest (record-times.ts)',
  'extra.ocorrido_em': 'corrected, else earliest; read by the simulation, which orders nothing by it (extra-store.ts)',
  'extra.inicio': 'corrected, else earliest; shown with its events, which have the mark (extra-store.ts)',
  'relato.enviado_em': 'the clock itself, for its offset (clock-offset.ts)',
  'relato.certificado.vence_em': 'of the certificate',
  'relato.cameras.gravacao.de': 'corrected, else earliest, as the names of the files (minute-correction.ts)',
  'relato.cameras.gravacao.ate': 'corrected, else earliest, as the names of the files (minute-correction.ts)',
  'resposta.mais_novo': 'by the clock of the cloud',
  'resultado diagnosticar.avisos.em': 'from its age when it is sent (recent-warnings.ts)',
  'resultado buscar_gravacao.arquivo.inicio': 'corrected, else earliest and marked (fetch-held.ts)',
  'resultado buscar_gravacao.arquivo.incerta_ms': 'the mark',
  'resultado listar_gravacao.gravador.trechos.de': 'by the clock of the recorder, measured by the right time',
  'resultado listar_gravacao.gravador.trechos.ate': 'by the clock of the recorder, measured by the right time',
  'resultado listar_gravacao.gravador.trechos.incerta_ms': 'the mark, never of a recorder',
  'resultado listar_gravacao.caixa.de': 'corrected, else earliest and marked (list-recordings.ts)',
  'resultado listar_gravacao.caixa.ate': 'corrected, else earliest and marked (list-recordings.ts)',
  'resultado listar_gravacao.caixa.incerta_ms': 'the mark',
}

/** Last names of the numbers that are no times. */
const NUMBERS = new Set(
  `
  v seq seqs de_seq ate_seq ultimo_seq base desde zona revisao id camera_id pid x y w h largura altura
  pessoas quadros omitidos trechos marcas config_versao ms duracao_s duracao_ms ha_ms ha_s
  ultimo_frame_ha_ms quadro_chave_ms quadro_chave_ha_ms cai_a_cada_s jitter_ms desvio_ms ligado_ha_s
  caixa_ligada_ha_s fps taxa_kbps cpu mb conexoes perdidos esperados orcamento_mb fila fila_memoria
  total livre bytes memoria_processo registros cameras falhas temperatura
  `.split(/\s+/),
)

const EPOCH_MS = 1e12

/** Paths of the numbers that may be epoch ms. */
function* numbersIn(node: unknown, path: string): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* numbersIn(one, path)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  const { properties, type, maximum, ...rest } = node as { readonly [key: string]: unknown }
  const isNumber = type === 'integer' || type === 'number'
  if (isNumber && (typeof maximum !== 'number' || maximum >= EPOCH_MS)) yield path
  for (const [key, one] of Object.entries(properties ?? {})) yield* numbersIn(one, `${path}.${key}`)
  for (const one of Object.values(rest)) yield* numbersIn(one, path)
}

it('has a decision for each time that an edge sends', () => {
  const schemas = Object.entries(sent).map(([name, schema]) => {
    return [name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })] as const
  })
  const found = new Set(schemas.flatMap(([name, schema]) => [...numbersIn(schema, name)]))
  expect(found.size).toBeGreaterThan(Object.keys(times).length)
  const isNumber = (path: string) => NUMBERS.has(path.split('.').at(-1) ?? '')
  expect([...found].filter((path) => !isNumber(path)).sort()).toEqual(Object.keys(times).sort())
})
