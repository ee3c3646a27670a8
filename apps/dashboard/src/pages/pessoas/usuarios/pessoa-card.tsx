import { NativeSelect } from '@mantine/core'
import { type Icon, IconLockOpen, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import { papeis, papelSchema, type Usuario } from '@vigia/contracts/usuarios'
import { useTranslation } from 'react-i18next'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import card from '../../../ui/camera-card.module.css'
import { CardButton } from '../../../ui/card-buttons.tsx'
import conta from '../conta/conta.module.css'
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
    <article className={card.card} aria-label={nome}>
      <h2 className={card.name}>
        <bdi>{nome}</bdi> {own && <span className={conta.state}>{t('pessoas.voce')}</span>}
      </h2>
      <p>{operator ? t('pessoas.operador') : [t(`pessoas.papel.${papel}`), empresa].filter(Boolean).join(' · ')}</p>
      {!ativo && <p className={card.down}>{t('pessoas.desativado')}</p>}
      <p className={card.facts}>
        {t(segundo_fator ? 'pessoas.comFator' : 'pessoas.semFator')}
        {' · '}
        {t('pessoas.criado', { quando: formatWhen(criado_em, now, fuso) })}
      </p>
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
          <div className={card.controls}>
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
          </div>
        </>
      )}
    </article>
  )
}
