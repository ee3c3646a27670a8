import { type Html, html } from '../../../../http/pages/html.ts'
import type { Page } from '../../../../http/pages/page.ts'
import { clientName } from './client-name.ts'
import { destinationOf } from './redirect-destination.ts'

interface SignIn {
  /** Name chosen by the program; null: none. */
  readonly cliente: string | null
  readonly redirectUri: string
  /** Parameters of the request, posted again with the password. */
  readonly campos: readonly (readonly [name: string, value: string])[]
  /** Sentence about the error, and the typed user name. */
  readonly falha?: { readonly frase: string; readonly username: string }
}

/** Page with the sign-in form. Its form may post only to this server. */
export const signInPage = ({ cliente, redirectUri, campos, falha }: SignIn): Page => ({
  titulo: falha ? 'Não foi possível entrar' : 'Entrar para autorizar',
  introducao: html`${clientName(cliente)} pede acesso ao Vigia; a resposta vai para ${destinationOf(redirectUri)}. \
Depois de entrar, você vê o que ele pede e decide.`,
  corpo: html`${falha ? html`<p class="alert" role="alert" id="falha">${falha.frase}</p>` : null}
<form method="post" action="/oauth/authorize">
${campos.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="field" for="username">Usuário</label>
<input type="text" id="username" name="username" autocomplete="username" autocapitalize="none" \
autocorrect="off" spellcheck="false" maxlength="200" required${described(falha)} \
value="${falha?.username ?? ''}"${falha ? null : html` autofocus`}>
<label class="field" for="password">Senha</label>
<input type="password" id="password" name="password" autocomplete="current-password" maxlength="1024" \
required${described(falha)}${falha ? html` autofocus` : null}>
<button class="main" type="submit" name="etapa" value="consentimento">Entrar</button>
</form>`,
})

const described = (falha: SignIn['falha']): Html | null => (falha ? html` aria-describedby="falha"` : null)
