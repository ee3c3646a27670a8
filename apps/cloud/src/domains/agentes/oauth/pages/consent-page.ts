import type { Alcance } from '@vigia/contracts/alcance'
import { efeitos, textoEfeito } from '@vigia/contracts/efeitos'
import type { EscopoOauth } from '@vigia/contracts/oauth'
import type { Papel } from '@vigia/contracts/usuarios'
import { type Html, html } from '../../../../http/pages/html.ts'
import type { Page } from '../../../../http/pages/page.ts'
import { canHaveEffects } from '../can-have-effects.ts'
import { clientName } from './client-name.ts'
import { destinationOf, formActionOf } from './redirect-destination.ts'

interface Named {
  readonly id: number
  readonly nome: string
}

/** Empresas that the page offers; a person with more gives the agent a login of its own. */
export const MOST_EMPRESAS = 500

interface Consent {
  /** Name chosen by the program; null: none. */
  readonly cliente: string | null
  /** Host of the document that describes the program; null: the program described itself. */
  readonly documento: string | null
  readonly redirectUri: string
  /** Requested scope. */
  readonly escopo: EscopoOauth
  readonly username: string
  readonly papel: Papel
  readonly alcance: Alcance
  /** null: the login has no Empresa. */
  readonly propria: Named | null
  /** The Empresas in scope. */
  readonly empresas: readonly Named[]
  readonly bilhete: string
  /** Address of the sign-in form for the same request. */
  readonly outroLogin: string
}

/** Consent page: program, scope, login and destination of the answer, with buttons to allow or refuse. */
export const consentPage = (consent: Consent): Page => ({
  titulo: 'Autorizar este acesso?',
  introducao: html`${clientName(consent.cliente)} quer usar o Vigia em seu nome.`,
  formAction: formActionOf(consent.redirectUri),
  corpo: html`<p class="care">${consent.cliente === null ? '' : 'Qualquer programa pode usar este nome. '}\
Autorize só se foi você quem começou esta conexão agora.</p>
<section aria-label="O pedido">
<dl class="facts">
${consent.documento === null ? null : html`<dt>Apresentado por</dt><dd>${consent.documento}</dd>`}
<dt>A resposta vai para</dt><dd>${destinationOf(consent.redirectUri)}</dd>
<dt>Em nome do login</dt><dd>${consent.username}</dd>
<dt>Alcança</dt><dd>${reach(consent)}</dd>
<dt>Escopo pedido</dt><dd>${consent.escopo}</dd>
</dl>
</section>
<form method="post" action="/oauth/authorize/decisao">
<input type="hidden" name="bilhete" value="${consent.bilhete}">
${access(consent)}
${effects(consent)}
${reachField(consent)}
<div class="decision">
<button class="main" type="submit" name="decisao" value="autorizar">Autorizar</button>
<button type="submit" name="decisao" value="recusar">Recusar</button>
</div>
</form>
<p class="soft small">O acesso vale por até 180 dias. \
${
  consent.papel === 'administrador'
    ? html`Para retirá-lo antes, abra <strong>Agentes</strong> no painel.`
    : 'Para retirá-lo antes, desconecte o Vigia no programa ou peça a um administrador.'
}</p>
<p class="small"><a href="${consent.outroLogin}">Entrar com outro login</a></p>`,
})

function reach({ alcance, propria, empresas }: Consent): Html {
  if (typeof alcance !== 'string')
    return html`${String(empresas.length)} ${empresas.length === 1 ? 'Empresa' : 'Empresas'} da lista deste login`
  if (alcance === 'propria') return propria === null ? html`nenhuma Empresa` : html`<bdi>${propria.nome}</bdi>`
  return propria === null ? html`toda a instalação` : html`<bdi>${propria.nome}</bdi> e as Empresas abaixo dela`
}

/** One Empresa, which is the least, or the whole reach of the login; nothing if the login has only one place. */
function reachField(consent: Consent): Html | null {
  const { alcance, propria, empresas } = consent
  const least = empresas.find(({ id }) => id === propria?.id) ?? empresas[0]
  if (alcance === 'propria' || least === undefined) return null
  // A browser chooses the first option.
  const offered = [least, ...empresas.filter((one) => one !== least)].slice(0, MOST_EMPRESAS)
  return html`<label class="field">Onde ele age\
<select name="alcance">
${offered.map(({ id, nome }) => html`<option value="${String(id)}">${nome}</option>\n`)}\
<option value="login">Tudo o que este login alcança, também o que ele alcançar depois</option>
</select></label>`
}

const see = 'Câmeras e suas imagens, eventos com fotos, métricas, gravadores, calibração e avisos, sem mudar nada.'
const change =
  'O que este login pode no Vigia: também cadastrar e mudar câmeras, gravadores, calibração e os destinos dos ' +
  'avisos, revisar eventos, ' +
  'enviar avisos de teste e ler a auditoria.'

const work =
  'Além de ver, o que este login pode no plantão: responder incidentes e silenciar câmeras por até 60 minutos.'

/** Title and text of the rights beyond reading, by role. */
const rights: Readonly<Record<Exclude<Papel, 'usuario'>, readonly [string, string]>> = {
  administrador: ['Ver e mudar', change],
  vigilante: ['Ver e atender', work],
}

/** The person chooses at most the requested scope. The least is chosen already. The role of the login limits it. */
function access({ papel, escopo }: Consent): Html {
  if (papel !== 'usuario' && escopo === 'mcp')
    return html`<fieldset>
<legend>O que ele poderá fazer</legend>
<label class="choice"><input type="radio" name="acesso" value="mcp:leitura" checked>\
<strong>Só ver</strong><span class="soft">${see}</span></label>
<label class="choice"><input type="radio" name="acesso" value="mcp">\
<strong>${rights[papel][0]}</strong><span class="soft">${rights[papel][1]}</span></label>
</fieldset>`
  return html`<h2>O que ele poderá fazer</h2>
<p><strong>Só ver.</strong> ${see}${
    escopo === 'mcp' ? ' Se o papel deste login mudar, o do programa muda junto.' : ''
  }</p>`
}

/** Boxes for what a program does only with an explicit consent; none is ticked. */
function effects({ papel, escopo }: Consent): Html | null {
  if (!canHaveEffects(papel, escopo)) return null
  return html`<fieldset>
<legend>O que mais ele poderá fazer</legend>
<p class="soft small">Sem marca, ele não faz. Vale só com “Ver e mudar”. Marque apenas o que o programa precisa.</p>
${efeitos.map(
  (efeito) => html`<label class="choice"><input type="checkbox" name="${efeito}" value="sim">\
<strong>${textoEfeito[efeito].titulo}</strong><span class="soft">${textoEfeito[efeito].descricao}</span></label>
`,
)}</fieldset>`
}
