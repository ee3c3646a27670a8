import { type Attachments, createAttachments } from '../../adapters/senders/attachments.ts'

/** Smallest JPEG header; senders do not decode pictures. */
export const PICTURE = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
/** The same with its box drawn. */
export const BOXED_PICTURE = Buffer.concat([PICTURE, Buffer.from('00')])
export const ORIGIN = 'https://vigia.exemplo.com.br'

/** Attachments of any message with an evento: one picture. */
export const sampleAttachments = (origin: string | null = ORIGIN, picture: Buffer | null = PICTURE): Attachments =>
  createAttachments(origin, {
    read: async (_id, boxed) => (picture !== null && boxed ? BOXED_PICTURE : picture),
    signedPath: async (id) => (picture === null ? null : `/api/v1/imagens/assinatura-${id}.jpg`),
  })
