import { type Html, html } from '../../../http/pages/html.ts'
import type { Page } from '../../../http/pages/page.ts'

interface CodeForm {
  /** Target of the form. */
  readonly action: string
  readonly campos: readonly (readonly [name: string, value: string])[]
  readonly username: string
  /** Error of the last code; null: no code yet. */
  readonly falha: string | null
  /** Address of the first step. */
  readonly voltar: string
}

/** The second page of a sign-in, with the form for the code of the second factor. */
export const codePage = ({ action, campos, username, falha, voltar }: CodeForm): Page => ({
  titulo: falha === null ? 'Código de verificação' : 'Código não aceito',
  introducao: html`Digite o código de 6 números que o aplicativo autenticador mostra para \
<strong><bdi>${username}</bdi></strong>.`,
  corpo: html`${falha === null ? null : html`<p class="alert" role="alert" id="falha">${falha}</p>`}
<form method="post" action="${action}">
${campos.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="field" for="codigo">Código</label>
<input type="text" id="codigo" name="codigo" autocomplete="one-time-code" autocapitalize="characters" \
autocorrect="off" spellcheck="false" maxlength="64" \
required${described(falha)} autofocus>
<button class="main" type="submit">Confirmar</button>
</form>
<p class="soft small">Sem o celular? Digite no lugar um dos seus códigos de recuperação.</p>
<p class="small"><a href="${voltar}">Entrar com outro login</a></p>`,
})

const described = (falha: string | null): Html | null => (falha === null ? null : html` aria-describedby="falha"`)
