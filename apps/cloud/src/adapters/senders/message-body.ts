import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import type { Attachments } from './attachments.ts'
import type { Mensagem } from './interface.ts'

/** JSON body of a message for programs. */
export async function messageBody(mensagem: Mensagem, attachments: Attachments): Promise<CorpoWebhook> {
  const { enviadoEm, empresa, semImagem: _, semRetencao: __, primeira: ___, ...rest } = mensagem
  return {
    ...rest,
    enviado_em: new Date(enviadoEm).toISOString(),
    empresa: { id: empresa.id, nome: empresa.nome },
    link: attachments.link(mensagem),
    imagem_url: await attachments.pictureUrl(mensagem),
  }
}
