import { IconMail, IconPhone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ContactInfo } from '#contract/settings/site-settings.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { mailHref, phoneHref } from '#web/platform/formats/contact-links.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import classes from './contact-info.module.css';

export function useContactInfo() {
	return useQuery(api.contactInfo.get.queryOptions());
}

export function ContactInfoLine() {
	const { data } = useContactInfo();
	return data === undefined ? null : <ContactLinks {...data} className={classes.bar} />;
}

export function hasContact({ email, phone }: ContactInfo): boolean {
	return email !== '' || phone !== '';
}

export function ContactLinks({ email, phone, className = '' }: ContactInfo & { className?: string | undefined }) {
	if (!hasContact({ email, phone })) return null;
	const phoneLink = phoneHref(phone);
	return (
		<ul className={`${classes.line} ${className}`} aria-label={m.chat_contact()}>
			{email !== '' && (
				<li>
					<IconMail {...smallIconProps} />
					<a href={mailHref(email)}>{email}</a>
				</li>
			)}
			{phone !== '' && (
				<li>
					<IconPhone {...smallIconProps} />
					{phoneLink === null ? <span>{phone}</span> : <a href={phoneLink}>{phone}</a>}
				</li>
			)}
		</ul>
	);
}
