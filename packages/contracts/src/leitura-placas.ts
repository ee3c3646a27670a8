import { z } from 'zod'

/** Passages that the figures of a camera come from: the newest ones. */
export const PASSAGENS_LEITURA = 50

/** Narrowest plate that is read well, in pixels of the analysed frame. */
export const LARGURA_BOA_PX = 100
/** Widest edges of the text of a sharp plate, as a fraction of its width. */
export const BORRAO_BOM = 0.03
/** Largest tilt of a plate that is read well, in degrees. */
export const ANGULO_BOM = 15
/** Share of passages with a plate from which reading is good. */
export const LEITURA_BOA = 0.8

/** Changes at a camera that improve its reading, the most important first. */
export const conselhosLeitura = ['sem_passagens', 'sem_placas', 'aproximar', 'exposicao', 'nivelar', 'boa'] as const

export const leituraPlacasSchema = z
  .object({
    passagens: z.int().describe(`As mais novas, no máximo ${PASSAGENS_LEITURA}.`),
    com_placa: z.int().describe('As que têm uma leitura segura.'),
    largura_px: z.number().nullable().describe('Mediana da largura do texto da placa, em pixels da imagem analisada.'),
    borrao_px: z.number().nullable().describe('Mediana da largura das bordas das letras; perto de 2 é nítido.'),
    angulo_graus: z.number().nullable().describe('Mediana da inclinação da placa.'),
    conselhos: z.array(z.enum(conselhosLeitura)).describe('O que mudar, o mais importante antes.'),
  })
  .meta({ id: 'LeituraPlacas', description: 'Como uma câmera lê placas, e o que mudar nela.' })
export type LeituraPlacas = z.infer<typeof leituraPlacasSchema>
