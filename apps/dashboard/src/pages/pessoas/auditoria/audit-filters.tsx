import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  type CanalAuditoria,
  canaisAuditoria,
  type ObjetoAuditoria,
  objetosAuditoria,
} from '@vigia/contracts/auditoria'
import { useTranslation } from 'react-i18next'
import { usuariosQuery } from '../../../api/people-queries.ts'
import { useServices } from '../../../session/services.ts'
import { NameSearch } from '../../../ui/name-search.tsx'
import { Filters } from '../../../ui/page.tsx'

interface Choice {
  pessoa?: number | undefined
  coisa?: ObjetoAuditoria | undefined
  porta?: CanalAuditoria | undefined
  de?: string | undefined
  ate?: string | undefined
}

/**
 * Filters by login, object, interface and period. The URL holds them, so that "back" works and a link can be shared.
 */
export function AuditFilters() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { pessoa, coisa, porta, de, ate } = useSearch({ from: '/painel/auditoria' })
  const { data: usuarios = [] } = useQuery(usuariosQuery(api))
  const navigate = useNavigate({ from: '/auditoria' })
  const choose = (change: Choice) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true })

  const filtered = [pessoa, coisa, porta, de, ate].some((value) => value !== undefined)
  return (
    <Filters as="search" aria-label={t('auditoria.filtros')}>
      <NameSearch
        label={t('auditoria.pessoa')}
        all={t('auditoria.todasPessoas')}
        options={usuarios.map(({ id, username }) => ({ id, nome: username }))}
        value={pessoa}
        // A removed login: its records still exist.
        missing={t('auditoria.pessoaRemovida', { id: pessoa ?? 0 })}
        onChoose={(chosen) => choose({ pessoa: chosen })}
      />
      <NativeSelect
        label={t('auditoria.coisa')}
        value={coisa ?? ''}
        onChange={(event) => choose({ coisa: objetosAuditoria.find((one) => one === event.currentTarget.value) })}
        data={[
          { value: '', label: t('auditoria.todasCoisas') },
          ...objetosAuditoria.map((value) => ({ value, label: t(`auditoria.coisas.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('auditoria.porta')}
        value={porta ?? ''}
        onChange={(event) => choose({ porta: canaisAuditoria.find((one) => one === event.currentTarget.value) })}
        data={[
          { value: '', label: t('auditoria.todasPortas') },
          ...canaisAuditoria.map((value) => ({ value, label: t(`auditoria.canal.${value}`) })),
        ]}
      />
      <TextInput
        type="date"
        label={t('auditoria.de')}
        value={de ?? ''}
        onChange={(event) => choose({ de: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('auditoria.ate')}
        value={ate ?? ''}
        onChange={(event) => choose({ ate: event.currentTarget.value || undefined })}
      />
      {filtered && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={17} />}
          onClick={() =>
            choose({ pessoa: undefined, coisa: undefined, porta: undefined, de: undefined, ate: undefined })
          }
        >
          {t('auditoria.limpar')}
        </Button>
      )}
    </Filters>
  )
}
