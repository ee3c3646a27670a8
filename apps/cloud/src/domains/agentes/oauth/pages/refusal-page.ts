import { html } from '../../../../http/pages/html.ts'
import type { Page } from '../../../../http/pages/page.ts'

/** Page with the reason of a refusal. @param volta address of the program, as a link that the person may follow */
export const refusalPage = (frase: string, volta?: { readonly href: string; readonly destino: string }): Page => ({
  titulo: 'Não é possível autorizar',
  introducao: html`O pedido do programa não pode seguir adiante.`,
  corpo: html`<p class="alert" role="alert">${frase}</p>
${
  volta
    ? html`<p class="soft">O programa espera a resposta em <strong>${volta.destino}</strong>. \
Volte para lá só se conhece esse endereço.</p>
<p><a class="button" href="${volta.href}" rel="noreferrer">Voltar ao programa</a></p>`
    : null
}`,
})
