import { html } from '../../../http/pages/html.ts'
import type { Page } from '../../../http/pages/page.ts'

/** Says why it does not go on. @param volta where the program waits for the answer: a person follows it or not. */
export const refusalPage = (frase: string, volta?: { readonly href: string; readonly destino: string }): Page => ({
  titulo: 'Não é possível autorizar',
  introducao: html`O pedido do programa não pode seguir adiante.`,
  corpo: html`<p class="alert" role="alert">${frase}</p>
${
  volta
    ? html`<p class="soft">O programa espera a resposta em <strong>${volta.destino}</strong>. Volte para lá só se conhece esse endereço.</p>
<p><a class="button" href="${volta.href}" rel="noreferrer">Voltar ao programa</a></p>`
    : null
}`,
})
