import { localStorageColorSchemeManager, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';

type ThemeChoice = 'system' | 'light' | 'dark';

const storageKey = 'theme';

/** Stores Mantine's colour scheme in this browser's local storage; 'auto' is the system's scheme. */
export const themeStore = localStorageColorSchemeManager({ key: storageKey });

/** Sets `data-theme`, which the tokens follow; without it they follow the system. Called before the first paint. */
export function applyTheme(scheme: MantineColorScheme): void {
	if (scheme === 'auto') delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = scheme;
}

/** Returns the user's choice and a function to change it; keeps the tokens in step with Mantine's scheme. */
export function useThemeChoice(): { choice: ThemeChoice; choose: (choice: ThemeChoice) => void } {
	const { colorScheme, setColorScheme } = useMantineColorScheme();
	useEffect(() => applyTheme(colorScheme), [colorScheme]);
	return {
		choice: colorScheme === 'auto' ? 'system' : colorScheme,
		choose: (choice) => setColorScheme(choice === 'system' ? 'auto' : choice),
	};
}
