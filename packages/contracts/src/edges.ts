import { z } from 'zod'
import { discoGravacaoSchema, GRAVACAO_CONTINUA_MB_PADRAO, orcamentoGravacaoSchema } from './gravacao-continua.ts'
import { estadosHora } from './hora-incerta.ts'
import { idSchema, instanteSchema, textoCurto } from './values.ts'

export const statusEdge = ['aguardando', 'online', 'offline'] as const

export const edgeCreateSchema = z
  .object({ nome: textoCurto(200), empresa_id: idSchema.nullish() })
  .meta({ id: 'EdgeCreate', examples: [{ nome: 'Caixa da portaria', empresa_id: 1 }] })
export const edgePatchSchema = z
  .strictObject({
    nome: textoCurto(200).nullish(),
    limite_reenvio_kbps: z
      .int()
      .min(16)
      .max(10_000_000)
      .nullable()
      .optional()
      .describe(
        'Banda, em kbit/s, para reenviar o que esperou por uma queda; null: sem limite. Eventos ao vivo não são ' +
          'limitados.',
      ),
    gravacao_continua_mb: orcamentoGravacaoSchema
      .nullable()
      .optional()
      .describe(
        'Espaço, em MB, para as gravações contínuas de todas as câmeras da caixa; null: ' +
          `${GRAVACAO_CONTINUA_MB_PADRAO}. O mais antigo é apagado.`,
      ),
  })
  .meta({ id: 'EdgePatch', examples: [{ nome: 'Caixa da sala técnica' }, { limite_reenvio_kbps: 512 }] })

/** Answer to creation and to `…/codigo`: the only answer with the one-time activation code. */
export const codigoSchema = z
  .object({ edge_id: z.int(), codigo: z.string(), expira_em: instanteSchema })
  .meta({ id: 'CodigoAtivacao', description: 'O código aparece só nesta resposta, e vale uma vez, por 24 horas.' })

export const edgeSchema = z
  .object({
    id: z.int(),
    nome: z.string(),
    /** null: the local edge of an all-in-one installation, which serves each Empresa without its own edge. */
    empresa_id: z
      .int()
      .nullable()
      .describe('null: a caixa local da instalação, que atende as Empresas sem caixa própria.'),
    status: z.enum(statusEdge),
    /** Portuguese: the remedy; null: none is needed. */
    status_detalhe: z.string().nullable().describe('O que uma pessoa deve fazer a respeito; null: nada.'),
    versao: z.string().nullable(),
    visto_em: instanteSchema.nullable(),
    cameras: z.int(),
    /** Number of events that wait on the edge. */
    fila: z.int().nullable().describe('Eventos à espera de envio.'),
    /** Size and free space of the disk of the outbox, in bytes. */
    disco: z.object({ total: z.number(), livre: z.number() }).nullable().describe('Bytes do disco que guarda a fila.'),
    /** Number of events in memory because the disk is not writable. */
    fila_memoria: z.int().nullable().describe('Eventos na memória porque o disco não grava.'),
    memoria: z.object({ total: z.number(), livre: z.number() }).nullable().describe('Bytes de memória.'),
    relogio: z
      .object({ desvio_ms: z.number().nullable(), sincronizado: z.boolean() })
      .nullable()
      .describe('Quanto o relógio da caixa está adiantado em relação à central, e se um servidor de hora o acertou.'),
    hora: z
      .object({ estado: z.enum(estadosHora), desde: instanteSchema })
      .nullable()
      .describe(
        'A hora no último relato: desconhecida (a caixa ligou sem relógio e espera um servidor de hora ou a ' +
          'central), suposta (do relógio com bateria, ainda não confirmada) ou conhecida; null: versão anterior.',
      ),
    /** Whether the edge runs the newest configuration. */
    config_aplicada: z.boolean().nullable().describe('Se a caixa já aplicou a configuração mais recente.'),
    certificado_vence_em: instanteSchema.nullable(),
    limite_reenvio_kbps: z.int().nullable(),
    gravacao_continua_mb: z.int().nullable().describe('null: o padrão.'),
    gravacao_continua: discoGravacaoSchema
      .nullable()
      .describe('Disco das gravações contínuas, e o que elas ocupam; null: a caixa não grava.'),
    /** Load of all cores, from 0 to 1. */
    cpu: z.number().nullable().describe('Carga, de 0 a 1.'),
    /** °C. */
    temperatura: z.number().nullable().describe('Graus Celsius.'),
  })
  .meta({ id: 'Edge', description: 'Caixa no local das câmeras.' })
export type Edge = z.infer<typeof edgeSchema>

/** Public activation: sent once by an edge with a new key pair and its activation code. */
export const ativarSchema = z
  .object({
    codigo: z.string().trim().min(1).max(100),
    /** PKCS#10 certificate request, PEM: proof that the edge holds the TLS key. */
    csr: z.string().min(1).max(8192).describe('Pedido de certificado PKCS#10, em PEM.'),
    /** Public JWK (EC P-256, use "enc") for the encryption of gravador passwords. */
    chave_cifra: z.object({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string().max(100),
      y: z.string().max(100),
    }),
  })
  .meta({
    id: 'Ativar',
    description: 'O que uma caixa manda, uma vez, com o código que recebeu.',
    examples: [
      {
        codigo: 'ABCD-EFGH-JKMN-PQRS',
        csr: '-----BEGIN CERTIFICATE REQUEST-----\n…\n-----END CERTIFICATE REQUEST-----\n',
        chave_cifra: {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
        },
      },
    ],
  })
export type Ativar = z.infer<typeof ativarSchema>

export const ativadoSchema = z
  .object({
    edge_id: z.int(),
    /** Client certificate and CA of the installation, PEM. */
    certificado: z.string(),
    ca: z.string(),
    mqtt: z.object({ url: z.string() }),
    /**
     * Highest sequence number of each camera (by id) in the cloud. A replacement of this edge continues from these
     * numbers.
     */
    sequencias: z
      .record(z.string().regex(/^[1-9]\d*$/), z.int().min(0))
      .default({})
      .describe('Último número de sequência de cada câmera.'),
  })
  .meta({ id: 'Ativado', description: 'Certificado de cliente, o da instalação, e para onde ligar.' })
export type Ativado = z.infer<typeof ativadoSchema>
