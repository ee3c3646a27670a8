import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { tamanhosMosaico } from '@vigia/contracts/mosaicos'
import { MAX_CAMERAS_MOSAICO, MAX_MOSAICOS, type Mosaico, preferenciasSchema } from '@vigia/contracts/preferencias'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Column } from '../../../ui/layout.tsx'
import { NameSearch } from '../../../ui/name-search.tsx'
import classes from './layout-dialog.module.css'

interface LayoutDialogProps {
  readonly cameras: readonly Camera[]
  readonly layouts: readonly Mosaico[]
  /** undefined: a new layout. */
  readonly edited: Mosaico | undefined
  /** Values that the page shows now. */
  readonly start: { readonly quadros: number; readonly ronda: number }
  /** Rejects with the error of the cloud. @param chosen name of the layout to show; undefined: none */
  readonly onSave: (layouts: Mosaico[], chosen: string | undefined) => Promise<void>
  readonly onClose: () => void
}

const layoutSchema = preferenciasSchema.shape.mosaicos.element

/** Name, tiles, cameras in their order and patrol of one layout of the login. */
export function LayoutDialog({ cameras, layouts, edited, start, onSave, onClose }: LayoutDialogProps) {
  const { t } = useTranslation()
  const [nome, setNome] = useState(edited?.nome ?? '')
  const [quadros, setQuadros] = useState(start.quadros)
  const [ronda, setRonda] = useState(start.ronda)
  const [ids, setIds] = useState<readonly number[]>(edited?.cameras ?? [])
  const others = layouts.filter((one) => one !== edited)
  const draft = layoutSchema.safeParse({ nome, quadros, cameras: ids, ronda_s: ronda })
  const isTaken = others.some((one) => one.nome === nome.trim())
  const saving = useMutation({
    mutationFn: async (layout: Mosaico | null) =>
      onSave(layout ? [...others, layout] : [...others], layout?.nome ?? undefined),
    onSuccess: onClose,
  })
  const isFull = others.length >= MAX_MOSAICOS
  const nameOf = (id: number) => cameras.find((camera) => camera.id === id)?.nome ?? t('plantao.camera.removida')
  const failure = isFull
    ? t('plantao.mosaicos.cheio', { total: MAX_MOSAICOS })
    : saving.error
      ? formErrors(saving.error, []).general
      : null
  return (
    <Dialog
      title={t(edited ? 'plantao.mosaicos.editar' : 'plantao.mosaicos.salvar')}
      submit={t('comum.salvar')}
      busy={saving.isPending}
      failure={failure}
      onSubmit={() => {
        if (draft.success && !isTaken && !isFull) saving.mutate(draft.data)
      }}
      onClose={onClose}
    >
      <Column gap={7}>
        <TextInput
          label={t('plantao.mosaicos.nome')}
          value={nome}
          maxLength={40}
          error={isTaken && t('plantao.mosaicos.repetido')}
          onChange={(event) => setNome(event.currentTarget.value)}
          data-autofocus
        />
        <NativeSelect
          label={t('plantao.mosaicos.quadros')}
          value={String(quadros)}
          data={tamanhosMosaico.map(String)}
          onChange={(event) => setQuadros(Number(event.currentTarget.value))}
        />
        <TextInput
          type="number"
          min={0}
          max={300}
          label={t('plantao.mosaicos.rondaCampo')}
          value={String(ronda)}
          onChange={(event) => setRonda(Number(event.currentTarget.value))}
        />
        <NameSearch
          label={t('plantao.mosaicos.acrescentar')}
          all={t('plantao.mosaicos.escolha', { total: MAX_CAMERAS_MOSAICO })}
          options={cameras.filter(({ id }) => !ids.includes(id))}
          value={undefined}
          missing=""
          onChoose={(id) => {
            if (id !== undefined && ids.length < MAX_CAMERAS_MOSAICO) setIds([...ids, id])
          }}
        />
        <ol className={classes.cameras}>
          {ids.map((id, index) => (
            <li key={id}>
              <span>{nameOf(id)}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                disabled={index === 0}
                aria-label={t('plantao.mosaicos.subir', { nome: nameOf(id) })}
                onClick={() => setIds(ids.toSpliced(index, 1).toSpliced(index - 1, 0, id))}
              >
                <IconArrowUp size={16} aria-hidden="true" />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={t('plantao.mosaicos.tirar', { nome: nameOf(id) })}
                onClick={() => setIds(ids.filter((one) => one !== id))}
              >
                <IconTrash size={16} aria-hidden="true" />
              </ActionIcon>
            </li>
          ))}
        </ol>
        {ids.length === 0 && <p>{t('plantao.mosaicos.semEscolha')}</p>}
        {edited && (
          <Button variant="subtle" color="red" onClick={() => saving.mutate(null)}>
            {t('plantao.mosaicos.apagar')}
          </Button>
        )}
      </Column>
    </Dialog>
  )
}
