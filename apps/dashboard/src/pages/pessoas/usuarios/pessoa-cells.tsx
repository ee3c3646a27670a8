import { NativeSelect } from '@mantine/core'
import { type Icon, IconBuildings, IconLockOpen, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import { papeis, papelSchema, type Usuario } from '@vigia/contracts/usuarios'
import { useTranslation } from 'react-i18next'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useAlcanceText } from '../../../session/use-alcance-text.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { CardAlarm } from '../../../ui/card.tsx'
import { CardIcon } from '../../../ui/card-buttons.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { type Acao, actionsOn } from './actions.ts'
import type { Change } from './confirm-action.tsx'

const icons: Readonly<Record<Acao, Icon>> = {
  redefinir: IconLockOpen,
  desativar: IconUserOff,
  ativar: IconUserCheck,
  remover: IconTrash,
}

interface PessoaCellsProps {
  readonly usuario: Usuario
  readonly onChange: (change: Change) => void
  /** Opens the dialog of the reach. */
  readonly onReach: () => void
}

/** Cells of one login: role, reach, second factor, and what the administrador can do. */
export function PessoaCells({ usuario, onChange, onReach }: PessoaCellsProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const now = useNow()
  const { username: nome, papel, empresa_id, ativo, segundo_fator, criado_em } = usuario
  const alcanceText = useAlcanceText()
  const several = me.empresas === null || me.empresas.length > 1
  const { fuso } = useEmpresa(empresa_id)
  const own = usuario.id === me.id
  const operator = papel === 'administrador' && empresa_id === null
  return (
    <>
      <th scope="row" title={nome}>
        <bdi>{nome}</bdi> {own && <Badge>{t('pessoas.voce')}</Badge>}
        {!ativo && <CardAlarm>{t('pessoas.desativado')}</CardAlarm>}
      </th>
      <td>
        {own || empresa_id === null ? (
          t(operator ? 'pessoas.operador' : `painel.papel.${papel}`)
        ) : (
          <NativeSelect
            size="xs"
            aria-label={t('pessoas.papelRotulo', { nome })}
            data={papeis.map((value) => ({ value, label: t(`painel.papel.${value}`) }))}
            value={papel}
            onChange={(event) => onChange({ acao: 'papel', papel: papelSchema.parse(event.currentTarget.value) })}
          />
        )}
      </td>
      <td>
        {alcanceText(usuario)}{' '}
        {!own && !operator && several && (
          <CardIcon
            icon={IconBuildings}
            label={t('pessoas.acaoRotulo', { acao: t('pessoas.alcance.mudar'), nome })}
            title={t('pessoas.alcance.mudar')}
            onClick={onReach}
          />
        )}
      </td>
      <td>{t(segundo_fator ? 'pessoas.comFator' : 'pessoas.semFator')}</td>
      <td>{t('pessoas.criado', { quando: formatWhen(criado_em, now, fuso) })}</td>
      <td>
        {!own &&
          actionsOn(me, usuario).map((acao) => (
            <CardIcon
              key={acao}
              icon={icons[acao]}
              label={t('pessoas.acaoRotulo', { acao: t(`pessoas.${acao}`), nome })}
              title={t(`pessoas.${acao}`)}
              onClick={() => onChange({ acao })}
            />
          ))}
      </td>
    </>
  )
}
