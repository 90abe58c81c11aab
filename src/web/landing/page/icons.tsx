import type { ReactNode } from 'react';
import { neutralIcon, type PageContent } from '#contract/storefront/page-content.ts';
import { BookMark } from '#web/ui/illustrations/book-mark.tsx';

const lineIcon =
	(lines: ReactNode) =>
	({ size = 20 }: { size?: number }) => (
		<svg
			className="icon"
			width={size}
			height={size}
			viewBox="0 0 24 24"
			fill="none"
			stroke="currentColor"
			strokeWidth="1.6"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
			focusable="false"
		>
			{lines}
		</svg>
	);

export const ArrowIcon = lineIcon(<path d="M5 12h14M13 6l6 6-6 6" />);
export const CloseIcon = lineIcon(<path d="M6 6l12 12M18 6L6 18" />);
export const MenuIcon = lineIcon(<path d="M3 6h18M3 12h18M3 18h18" />);
export const CheckIcon = lineIcon(<path d="M5 12.5l4.5 4.5L19 7.5" />);
export const CopyIcon = lineIcon(
	<>
		<rect x="8" y="8" width="12" height="12" rx="2.5" />
		<path d="M16 8V6.5A2.5 2.5 0 0 0 13.5 4h-7A2.5 2.5 0 0 0 4 6.5v7A2.5 2.5 0 0 0 6.5 16H8" />
	</>,
);
export const InfoIcon = lineIcon(
	<>
		<circle cx="12" cy="12" r="9" />
		<path d="M12 11v5M12 8v.01" />
	</>,
);
export const AlertIcon = lineIcon(
	<>
		<circle cx="12" cy="12" r="9" />
		<path d="M12 7.5v5.5M12 16v.01" />
	</>,
);
export const PictureIcon = lineIcon(
	<>
		<path d="M20 12V7a3 3 0 0 0-3-3H7a3 3 0 0 0-3 3v10a3 3 0 0 0 3 3h5" />
		<path d="M4 15l4-4c1-.9 2-.9 3 0l4 4" />
		<path d="M15 8.010V8M18 21v-6M15.5 17.5L18 15l2.5 2.5" />
	</>,
);

export const PlayIcon = () => (
	<svg className="icon" width="30" height="30" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
		<path fill="currentColor" d="M8 5.2c0-.8.9-1.3 1.6-.9l10 6.8c.6.4.6 1.3 0 1.7l-10 6.8c-.7.4-1.6 0-1.6-.9z" />
	</svg>
);

/** The mark of the default book. */
const DefaultMark = () => (
	<svg className="icon" width="28" height="28" viewBox="0 0 28 28" aria-hidden="true" focusable="false">
		<circle fill="var(--accent-fill)" cx="14" cy="8" r="4" />
		<path fill="currentColor" d="M10.5 11.5h7v3.5h3v4h3.5v5H4v-5h3.5v-4h3z" />
	</svg>
);

function Mark({ icon }: Pick<PageContent, 'icon'>) {
	if (icon === null) return <DefaultMark />;
	if (icon === neutralIcon) return <BookMark className="icon" size={28} />;
	return <img className="icon" src={icon} alt="" width={28} height={28} />;
}

/** The icon and the wordmark. */
export function Brand({ content: { icon, wordmark } }: { content: Pick<PageContent, 'icon' | 'wordmark'> }) {
	return (
		<>
			<Mark icon={icon} />
			<span className="wordmark">{wordmark}</span>
		</>
	);
}
