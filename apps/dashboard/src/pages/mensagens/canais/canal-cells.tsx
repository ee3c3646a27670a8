import { Switch } from '@mantine/core'
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CanalNotificacao, canalNotificacaoSchema } from '@vigia/contracts/notificacoes'
import { useTranslation } from 'react-i18next'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { CardAlarm } from '../../../ui/card.tsx'
import { CardIcon } from '../../../ui/card-buttons.tsx'
import classes from './canais.module.css'
import { destinosOf } from './canal-form.ts'
import { nameOfCanal } from './canal-name.ts'

export type CanalTask = 'test' | 'edit' | 'remove'

interface CanalCellsProps {
  readonly canal: CanalNotificacao
  readonly showEmpresa: boolean
  readonly onTask: (task: CanalTask) => void
}

/** Cells of one canal: destinations, results of 30 days, last error, and what the administrador can do. */
export function CanalCells({ canal, showEmpresa, onTask }: CanalCellsProps) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome: empresa, fuso } = useEmpresa(canal.empresa_id)
  const nome = nameOfCanal(t, canal)
  const { entregues, pendentes, desistidas, ultimo_erro, ultimo_erro_em } = canal.entregas
  const [first = '', ...others] = destinosOf(canal)
  return (
    <>
      <th scope="row" className={classes.name} title={nome}>
        <Link to="/canais/$id" params={{ id: String(canal.id) }} aria-label={t('canais.entregas.rotulo', { nome })}>
          <bdi>{nome}</bdi>
        </Link>
      </th>
      {showEmpresa && <td>{empresa}</td>}
      <td>{t(`canais.tipo.${canal.tipo}`)}</td>
      <td className={classes.destinos} translate="no" title={destinosOf(canal).join(', ')}>
        {others.length > 0 ? t('canais.maisDestinos', { destino: first, count: others.length }) : first}
      </td>
      <td>
        {[
          t('canais.contagem.entregues', { count: entregues }),
          pendentes > 0 && t('canais.contagem.pendentes', { count: pendentes }),
          desistidas > 0 && t('canais.contagem.desistidas', { count: desistidas }),
        ]
          .filter(Boolean)
          .join(' · ')}
        {desistidas > 0 && ultimo_erro !== null && ultimo_erro_em !== null && (
          <CardAlarm title={ultimo_erro}>
            {t('canais.ultimoErro', { quando: formatWhen(ultimo_erro_em, now, fuso), erro: ultimo_erro })}
          </CardAlarm>
        )}
      </td>
      <td>
        <ActiveSwitch canal={canal} nome={nome} />
      </td>
      <td>
        <CardIcon
          icon={IconSend}
          label={t('canais.teste.rotulo', { nome })}
          title={t('canais.teste.botao')}
          onClick={() => onTask('test')}
        />
        <CardIcon
          icon={IconPencil}
          label={t('canais.mudarRotulo', { nome })}
          title={t('canais.mudar')}
          onClick={() => onTask('edit')}
        />
        <CardIcon
          icon={IconTrash}
          label={t('canais.removerRotulo', { nome })}
          title={t('canais.remover')}
          onClick={() => onTask('remove')}
        />
      </td>
    </>
  )
}

function ActiveSwitch({ canal, nome }: { readonly canal: CanalNotificacao; readonly nome: string }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const change = useMutation({
    mutationFn: (ativo: boolean) => api.send('PATCH', `/notificacoes/${canal.id}`, { ativo }, canalNotificacaoSchema),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['canais'] }),
  })
  return (
    <Switch
      aria-label={t('canais.ativoRotulo', { nome })}
      checked={change.isPending ? change.variables : canal.ativo}
      error={change.error?.message}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}
