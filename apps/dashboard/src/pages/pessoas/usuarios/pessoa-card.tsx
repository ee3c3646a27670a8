import { NativeSelect } from '@mantine/core'
import { type Icon, IconLockOpen, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import { papeis, papelSchema, type Usuario } from '@vigia/contracts/usuarios'
import { useTranslation } from 'react-i18next'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Card, CardAlarm, CardControls, CardFacts, CardName } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { type Acao, actionsOn } from './actions.ts'
import type { Change } from './confirm-action.tsx'

const icons: Readonly<Record<Acao, Icon>> = {
  redefinir: IconLockOpen,
  desativar: IconUserOff,
  ativar: IconUserCheck,
  remover: IconTrash,
}

interface PessoaCardProps {
  readonly usuario: Usuario
  readonly onChange: (change: Change) => void
}

/** Card of one login: role, Empresa, second factor, and what the administrador can do. */
export function PessoaCard({ usuario, onChange }: PessoaCardProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const now = useNow()
  const { username: nome, papel, empresa_id, ativo, segundo_fator, criado_em } = usuario
  const { nome: empresa, fuso } = useEmpresa(empresa_id)
  const own = usuario.id === me.id
  const operator = papel === 'administrador' && empresa_id === null
  return (
    <Card aria-label={nome}>
      <CardName>
        <bdi>{nome}</bdi> {own && <Badge>{t('pessoas.voce')}</Badge>}
      </CardName>
      <p>{operator ? t('pessoas.operador') : [t(`pessoas.papel.${papel}`), empresa].filter(Boolean).join(' · ')}</p>
      {!ativo && <CardAlarm>{t('pessoas.desativado')}</CardAlarm>}
      <CardFacts>
        {t(segundo_fator ? 'pessoas.comFator' : 'pessoas.semFator')}
        {' · '}
        {t('pessoas.criado', { quando: formatWhen(criado_em, now, fuso) })}
      </CardFacts>
      {!own && (
        <>
          {empresa_id !== null && (
            <NativeSelect
              size="xs"
              label={t('pessoas.mudarPapel')}
              aria-label={t('pessoas.papelRotulo', { nome })}
              data={papeis.map((value) => ({ value, label: t(`painel.papel.${value}`) }))}
              value={papel}
              onChange={(event) => onChange({ acao: 'papel', papel: papelSchema.parse(event.currentTarget.value) })}
            />
          )}
          <CardControls>
            {actionsOn(me, usuario).map((acao) => (
              <CardButton
                key={acao}
                icon={icons[acao]}
                label={t('pessoas.acaoRotulo', { acao: t(`pessoas.${acao}`), nome })}
                onClick={() => onChange({ acao })}
              >
                {t(`pessoas.${acao}`)}
              </CardButton>
            ))}
          </CardControls>
        </>
      )}
    </Card>
  )
}
