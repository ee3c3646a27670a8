import { z } from 'zod'
import {
  limiteBytesInputShape,
  limiteBytesShape,
  limitesCreateShape,
  limitesPatchShape,
  limitesShape,
} from './limites.ts'
import { codigoSchema } from './segundo-fator.ts'
import { idSchema, instanteSchema, textoCurto } from './values.ts'

export const FUSO_PADRAO = 'America/Sao_Paulo'

/** IANA name of a time zone that this runtime supports. */
const fusoSchema = textoCurto(64).refine(isTimeZone, {
  error: 'Fuso horário desconhecido. Use um nome IANA, por exemplo America/Sao_Paulo',
})

function isTimeZone(nome: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: nome }).resolvedOptions().timeZone !== '' && nome.includes('/')
  } catch {
    return false
  }
}

/** Host name of an account's own dashboard (VIGIA_DOMINIO_NEUTRO), lower case, without a port. */
const dominioSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?=.*[a-z])([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'Use um nome de domínio completo, por exemplo cameras.exemplo.com.br',
  })

/** Private networks in the CIDR form; the cloud checks each. */
const redesSchema = z.array(z.string().trim().min(1).max(64)).max(50)

export const empresaCreateSchema = z
  .object({
    nome: textoCurto(200),
    fuso_horario: fusoSchema.optional().describe('Nome IANA; se faltar, America/Sao_Paulo.'),
    demonstracao: z
      .boolean()
      .optional()
      .describe('Só para aparelhos simulados na própria máquina; só o operador cria, e só inteira ela é removida.'),
    ...limitesCreateShape,
    ...limiteBytesInputShape,
  })
  .meta({ id: 'EmpresaCreate', examples: [{ nome: 'Mercado Bom Preço', fuso_horario: 'America/Sao_Paulo' }] })
export type EmpresaCreate = z.infer<typeof empresaCreateSchema>

export const empresaPatchSchema = z
  .strictObject({
    nome: textoCurto(200).nullish(),
    fuso_horario: fusoSchema.nullish(),
    ...limitesPatchShape,
    ...limiteBytesInputShape,
    exigir_segundo_fator: z
      .boolean()
      .nullable()
      .optional()
      .describe('Se os logins precisam de um segundo fator; null: como a Empresa acima.'),
    esconder_placas_vigilante: z
      .boolean()
      .optional()
      .describe('true: os vigilantes da Empresa não veem placas de veículos, como um usuário.'),
    usa_edge_local: z
      .boolean()
      .optional()
      .describe('Se a caixa da própria instalação atende a Empresa enquanto ela não tem caixa; só o operador muda.'),
    redes_permitidas: redesSchema
      .optional()
      .describe('Redes privadas que os canais da Empresa alcançam (webhook e MQTT); só o operador muda.'),
    /** Only for the operator; null removes it. */
    host: dominioSchema.nullish().describe('Endereço próprio do painel; só o operador muda; null tira.'),
  })
  .meta({
    id: 'EmpresaPatch',
    examples: [{ nome: 'Mercado Bom Preço (matriz)', fuso_horario: 'America/Manaus' }, { limite_cameras: 128 }],
  })
export type EmpresaPatch = z.infer<typeof empresaPatchSchema>

export const empresaSchema = z
  .object({
    id: idSchema,
    nome: z.string(),
    empresa_pai_id: z.int().nullable().describe('A Empresa acima desta; null para a raiz.'),
    fuso_horario: z.string(),
    ...limitesShape,
    ...limiteBytesShape,
    exigir_segundo_fator: z.boolean().nullable().describe('null: como a Empresa acima.'),
    esconder_placas_vigilante: z.boolean().describe('Se os vigilantes da Empresa não veem placas de veículos.'),
    usa_edge_local: z
      .boolean()
      .describe('Se a caixa da própria instalação atende a Empresa enquanto ela não tem caixa.'),
    redes_permitidas: z.array(z.string()).describe('Redes privadas (CIDR) que os canais da Empresa alcançam.'),
    /** Absent if the Empresa has no host of its own. */
    host: z.string().optional(),
    /** Absent if the Empresa is no demonstration. */
    demonstracao: z.literal(true).optional().describe('A Empresa é uma demonstração, com aparelhos simulados.'),
    criada_em: instanteSchema,
  })
  .meta({ id: 'Empresa', description: 'Conta que tem câmeras.' })
export type Empresa = z.infer<typeof empresaSchema>

export const empresaRemocaoSchema = z
  .strictObject({
    senha: z.string().min(1).max(1024).describe('A senha do login que remove, outra vez.'),
    codigo: codigoSchema.optional().describe('Do segundo fator, onde o login tem um.'),
  })
  .meta({ id: 'EmpresaRemocao', examples: [{ senha: 'uma frase bem comprida' }] })
export type EmpresaRemocao = z.infer<typeof empresaRemocaoSchema>

export const empresaRemovidaSchema = z
  .object({
    empresa_id: z.int(),
    nome: z.string(),
    pedida_em: instanteSchema,
  })
  .meta({ id: 'EmpresaRemovida', description: 'A remoção aceita; os eventos e as imagens são apagados em seguida.' })
export type EmpresaRemovida = z.infer<typeof empresaRemovidaSchema>
