import { ActionIcon, Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconLayoutGridAdd } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { rondasMosaico, tamanhosMosaico } from '@vigia/contracts/mosaicos'
import type { Mosaico } from '@vigia/contracts/preferencias'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferencias } from '../../../session/use-preferencias.ts'
import { CentredRow } from '../../../ui/layout.tsx'
import classes from './mosaic-controls.module.css'

const LayoutDialog = lazy(async () => ({ default: (await import('./layout-dialog.tsx')).LayoutDialog }))

interface MosaicControlsProps {
  readonly cameras: readonly Camera[]
  /** The chosen layout; undefined: none. */
  readonly layout: Mosaico | undefined
  readonly state: { readonly quadros: number; readonly ronda: number; readonly page: number; readonly pages: number }
  readonly onTurn: (page: number) => void
}

/** Layout, number of tiles, page and patrol of the mosaic. The address holds them. */
export function MosaicControls({ cameras, layout, state, onTurn }: MosaicControlsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate({ from: '/mosaico' })
  const { preferencias, save } = usePreferencias()
  const [isOpen, setOpen] = useState(false)
  const { quadros, ronda, page, pages } = state
  const seconds = rondasMosaico.some((one) => one === ronda)
    ? rondasMosaico
    : [...rondasMosaico, ronda].toSorted((a, b) => a - b)
  return (
    <CentredRow>
      <NativeSelect
        aria-label={t('plantao.mosaicos.arranjo')}
        value={layout?.nome ?? ''}
        data={[
          { value: '', label: t('plantao.mosaicos.todas') },
          ...preferencias.mosaicos.map(({ nome }) => ({ value: nome, label: nome })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: ({ empresa }) => ({ empresa, arranjo: value || undefined }), replace: true })
        }
      />
      <SegmentedControl
        aria-label={t('plantao.mosaicos.quadros')}
        value={String(quadros)}
        data={tamanhosMosaico.map(String)}
        onChange={(value) =>
          void navigate({
            search: (now) => ({ ...now, quadros: tamanhosMosaico.find((one) => String(one) === value), pagina: 1 }),
            replace: true,
          })
        }
      />
      <div className={classes.pages}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('plantao.mosaicos.anterior')}
          disabled={pages === 1}
          onClick={() => onTurn(page === 1 ? pages : page - 1)}
        >
          <IconChevronLeft size={18} aria-hidden="true" />
        </ActionIcon>
        <span>{t('plantao.mosaicos.pagina', { page, pages })}</span>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('plantao.mosaicos.seguinte')}
          disabled={pages === 1}
          onClick={() => onTurn((page % pages) + 1)}
        >
          <IconChevronRight size={18} aria-hidden="true" />
        </ActionIcon>
      </div>
      <NativeSelect
        aria-label={t('plantao.mosaicos.ronda')}
        value={String(ronda)}
        data={seconds.map((s) => ({
          value: String(s),
          label: s === 0 ? t('plantao.mosaicos.semRonda') : t('plantao.mosaicos.rondaDe', { s }),
        }))}
        onChange={({ currentTarget: { value } }) =>
          void navigate({
            search: (now) => ({ ...now, ronda: rondasMosaico.find((one) => String(one) === value) }),
            replace: true,
          })
        }
      />
      <Button
        variant="default"
        size="sm"
        leftSection={<IconLayoutGridAdd size={18} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t(layout ? 'plantao.mosaicos.editar' : 'plantao.mosaicos.salvar')}
      </Button>
      {isOpen && (
        <Suspense>
          <LayoutDialog
            cameras={cameras}
            layouts={preferencias.mosaicos}
            edited={layout}
            start={{ quadros, ronda }}
            onSave={async (mosaicos, chosen) => {
              await save({ mosaicos })
              void navigate({ search: ({ empresa }) => ({ empresa, arranjo: chosen }), replace: true })
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </CentredRow>
  )
}
