import { createTheme, type MantineColorsTuple } from '@mantine/core';
// Import this file only in main.tsx, after the base styles: of two rules with equal specificity, the later rule
// applies.
import classes from './theme.module.css';

const accent = Array.from({ length: 10 }, () => 'var(--accent-fill)') as unknown as MantineColorsTuple;

/** Refers to the CSS variables in tokens.css, which follow `data-theme`. */
export const theme = createTheme({
	fontFamily: 'var(--font-text)',
	fontFamilyMonospace: 'var(--font-mono)',
	headings: { fontFamily: 'var(--font-text)', fontWeight: '600' },
	primaryColor: 'accent',
	colors: { accent },
	defaultRadius: 'var(--radius-1)',
	cursorType: 'pointer',
	respectReducedMotion: true,
	fontSizes: {
		xs: 'var(--text-12)',
		sm: 'var(--text-14)',
		md: 'var(--text-14)',
		lg: 'var(--text-16)',
		xl: 'var(--text-18)',
	},
	// Plain objects, so that components whose scripts are loaded on demand are not imported here.
	components: {
		Input: { classNames: { input: classes.input, section: classes.section } },
		InputWrapper: {
			classNames: { label: classes.label, description: classes.description, error: classes.error },
		},
		Modal: {
			defaultProps: { transitionProps: { transition: 'fade-up', duration: 200 }, centered: true },
		},
		Menu: {
			classNames: {
				dropdown: classes.menu,
				item: classes.menuItem,
				label: classes.menuLabel,
				divider: classes.menuDivider,
				itemIndicator: classes.menuIndicator,
			},
			defaultProps: {
				transitionProps: { transition: 'fade-up', duration: 160 },
				shadow: 'none',
				// The placeholder is a focusable element without a role, which is not allowed in a menu.
				withInitialFocusPlaceholder: false,
			},
		},
		Text: { defaultProps: { inherit: true } },
		Textarea: { defaultProps: { resize: 'vertical' } },
		Tooltip: {
			classNames: { tooltip: classes.tooltip },
			defaultProps: { openDelay: 400, transitionProps: { duration: 120 } },
		},
	},
});
