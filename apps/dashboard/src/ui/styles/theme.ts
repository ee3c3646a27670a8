import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from '@mantine/core'

/** The face of styles/page.css, then those of the machine for letters that it lacks. */
const family =
  '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, ' +
  'sans-serif, "Apple Color Emoji"'

/** Colours meet WCAG AA (4.5:1 for text) on both backgrounds. styles/page.css has the tokens of the other styles. */
export const theme = createTheme({
  fontFamily: family,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: { fontFamily: family, fontWeight: '650' },
  primaryColor: 'vigia',
  primaryShade: { light: 7, dark: 4 },
  // Mantine computes contrast only for the shade of the light scheme; this theme has a shade per scheme.
  variantColorResolver(input) {
    const colors = defaultVariantColorsResolver(input)
    const primary = input.color === undefined || input.color === 'vigia'
    return primary && input.variant === 'filled' ? { ...colors, color: 'var(--v-on-accent)' } : colors
  },
  defaultRadius: 'md',
  // Smaller sizes are below the 24 px that a touch target needs.
  components: { Switch: { defaultProps: { size: 'md' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  colors: {
    vigia: [
      '#e3faf6',
      '#c9f1ea',
      '#9be6da',
      '#68dac9',
      '#35c9b4',
      '#1fb39f',
      '#12998a',
      '#0b7466',
      '#086056',
      '#05463f',
    ],
    dark: [
      '#e8eef5',
      '#c9d4df',
      '#a3b3c2',
      '#8394a5',
      '#566879',
      '#263341',
      '#18212c',
      '#0b1016',
      '#090d12',
      '#06090d',
    ],
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: { '--mantine-color-error': '#ff8a80', '--mantine-color-dimmed': '#a3b3c2' },
  light: { '--mantine-color-error': '#b3261e', '--mantine-color-dimmed': '#51606d' },
})
