import { Flex, Text } from '@mantine/core';
import { neutralIcon } from '#contract/storefront/page-content.ts';
import { readSite } from '#web/platform/browser/site.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { BookMark } from './book-mark.tsx';

export function BrandLogo() {
	const { icon } = readSite();
	if (icon === neutralIcon) return <BookMark size={20} color="var(--ink)" />;
	if (icon !== null) return <img src={icon} alt="" width={20} height={20} />;
	return (
		<svg viewBox="0 0 18 18" width="20" height="20" aria-hidden="true">
			<circle cx="9" cy="3.6" r="3" fill="var(--accent-fill)" />
			<path d="M6.5 6.2h5v3h2.75v3H17V16H1v-3.8h2.75v-3H6.5z" fill="var(--ink)" />
		</svg>
	);
}

/** The icon and the name of the site; a long name has two lines and is then cut. */
export function Brand() {
	const locale = useLocale();
	return (
		<Flex component="span" display="inline-flex" align="center" gap={10} miw={0}>
			<BrandLogo />
			<Text span lineClamp={2} c="var(--ink)" lts="-0.01em" style={{ font: '560 20px / 1.15 var(--font-display)' }}>
				{readSite().texts[locale].wordmark}
			</Text>
		</Flex>
	);
}
