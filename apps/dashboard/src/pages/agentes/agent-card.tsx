import { IconPlugConnectedX } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatDay, formatFull, formatWhen } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { ownEmpresa } from '../../session/own-empresa.ts'
import { useAlcanceText } from '../../session/use-alcance-text.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { Card, CardControls, CardFacts, CardName, CardSoft } from '../../ui/card.tsx'
import { CardButton } from '../../ui/card-buttons.tsx'
import classes from './agentes-page.module.css'
import { redirectTarget } from './redirect-target.ts'

export interface AgentCardProps {
  readonly autorizacao: Autorizacao
  /** null: the current login may not revoke it. */
  readonly onTakeBack: (() => void) | null
}

/** Card of one agent: its stated name, the login that it acts for, its rights and the start of its access. */
export function AgentCard({ autorizacao, onTakeBack }: AgentCardProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { fuso } = useEmpresa(ownEmpresa(me))
  const now = useNow()
  const alcanceText = useAlcanceText()
  const { cliente_nome, client_id, redirect_hosts, username, escopo, efeitos } = autorizacao
  const { criada_em, usada_em, expira_em } = autorizacao
  const nome = cliente_nome ?? t('agentes.semNome')
  return (
    <Card aria-label={nome}>
      <CardName as="h3">
        <bdi>{nome}</bdi>
      </CardName>
      <p>{t('agentes.emNomeDe', { username })}</p>
      <p className={classes.scope}>{t(escopo === 'mcp' ? 'agentes.escopo.tudo' : 'agentes.escopo.leitura')}</p>
      <CardFacts>
        {t('comum.alcance.onde', {
          onde:
            typeof autorizacao.alcance === 'string'
              ? t('comum.alcance.doLogin')
              : alcanceText({ alcance: autorizacao.alcance, empresa_id: null }),
        })}
      </CardFacts>
      {escopo === 'mcp' && (
        <CardFacts>
          {efeitos.length === 0
            ? t('agentes.efeitos.nenhum')
            : t('agentes.efeitos.rotulo', {
                lista: efeitos.map((efeito) => t(`agentes.efeitos.${efeito}`)).join(', '),
              })}
        </CardFacts>
      )}
      <CardFacts>
        <When iso={criada_em} fuso={fuso} text="agentes.dado" />
        {' · '}
        {usada_em === null ? t('agentes.nuncaUsado') : <When iso={usada_em} fuso={fuso} text="agentes.usado" />}
        <br />
        <time dateTime={expira_em} title={formatFull(expira_em, fuso)}>
          {t('agentes.ate', { data: formatDay(expira_em, now, fuso) })}
        </time>
      </CardFacts>
      <CardSoft>
        {t('agentes.recebe', { onde: redirect_hosts.map((host) => redirectTarget(t, host)).join(', ') })}
      </CardSoft>
      <p className={classes.id}>{t('agentes.identificacao', { id: client_id })}</p>
      {onTakeBack && (
        <CardControls>
          <CardButton
            icon={IconPlugConnectedX}
            label={t('agentes.retirarRotulo', { nome, username })}
            onClick={onTakeBack}
          >
            {t('agentes.retirar')}
          </CardButton>
        </CardControls>
      )}
    </Card>
  )
}

function When({ iso, fuso, text }: { iso: string; fuso: Fuso; text: 'agentes.dado' | 'agentes.usado' }) {
  const { t } = useTranslation()
  const now = useNow()
  return (
    <time dateTime={iso} title={formatFull(iso, fuso)}>
      {t(text, { quando: formatWhen(iso, now, fuso) })}
    </time>
  )
}
