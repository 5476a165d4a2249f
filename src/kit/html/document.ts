import { hash } from 'node:crypto';
import { constant, html, toText } from './html.ts';
import type { Html } from './html.ts';

/** A whole document, with its Content-Security-Policy. */
export interface Page {
  readonly html: Html;
  readonly policy: string;
}

export interface Content {
  readonly title: string;
  readonly header: Html | null;
  readonly main: Html;
  readonly footer: Html | null;
  /** A constant of our own code, never input. */
  readonly style: string;
  /** A constant of our own code, never input. The page must work without it. */
  readonly script?: string;
  /** Whether the script may send requests to our own host. */
  readonly asks?: boolean;
}

/** A document that loads nothing from other addresses and asks search engines not to index it. */
export function createPage({ title, header, main, footer, style, script, asks = false }: Content): Page {
  return {
    policy: policyOf(style, script, asks),
    html: html`<!doctype html>
      <html lang="pt-BR">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex, nofollow" />
          <meta name="format-detection" content="telephone=no" />
          <title>${title}</title>
          <link rel="icon" href="data:," />
          ${constant(`<style>${style}</style>`)}
        </head>
        <body>
          ${header}
          <main>${main}</main>
          ${footer} ${script === undefined ? null : constant(`<script>${script}</script>`)}
        </body>
      </html>`,
  };
}

/** The bytes of a page, to be sent. */
export function toBytes({ html: text }: Page): Buffer {
  return Buffer.from(toText(text));
}

/**
 * The Content-Security-Policy of a document. Only our own style and script, which are named by their hashes, take
 * effect; injected ones do not. Nothing is loaded from other addresses.
 */
function policyOf(style: string, script: string | undefined, asks: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    ...(script === undefined ? [] : [`script-src ${digest(script)}`]),
    ...(asks ? ["connect-src 'self'"] : []),
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

const digest = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
