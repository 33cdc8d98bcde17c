import type { Bytes } from '../../platform/bytes.ts';
import { lookThrough } from '../../platform/files.ts';
import { isSecretName } from '../../platform/secret-names.ts';

/**
 * What becomes of an exported variable of a session: it goes with it; it is left out because nobody can see that it is no secret; or it
 * is not the session's at all, but of the terminal, the login, the machine, or names code that other programs would run unasked.
 */
export type Fate = 'kept' | 'left out' | 'not its own';

export function fateOf(name: Bytes, value: Bytes): Fate {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || NOT_ITS_OWN.some((rule) => rule.test(name))) return 'not its own';
  return isSecretName(name) || SECRET.test(name) || !isPlain(name, value) ? 'left out' : 'kept';
}

/** Beside what the table for lines has: these names are given to nothing else in an environment. */
const SECRET =
  /(?:^|_)(?:CREDS?|[A-Z]*PWD?|PSK|T?OTP|PINS?|MNEMONICS?|SEEDS?|LOGINS?|PRIVATE|COOKIES?|CERTS?|SIG(?:NATURE)?|SALT|HASH|NONCE|CODES?|PHRASE|SESSION|AUTH[A-Z]*|PASS[A-Z]*|KEYS?)[A-Z]?\d*(?:_|$)/i;

/** Of a value so much, characters; of a list of folders more. */
const LONGEST = 128;
const LONGEST_PATH = 8192;

/**
 * Only what can be seen to be no secret: what is there on this disk, addresses without a login, and words, numbers, versions that people
 * type (`eu-west-1`, `en_GB.UTF-8`, `info,web.server`). A table of secrets always misses one; a variable that is missed is set again by hand.
 */
function isPlain(name: Bytes, value: Bytes): boolean {
  if (value.startsWith('/'))
    return value.length <= LONGEST_PATH && (name === 'PATH' || value.split(':').every((path) => isThere(path)));
  if (value.length > LONGEST) return false;
  const address = /^https?:\/\/([a-z0-9.-]{1,64})(?::\d{1,5})?(\/.*)?$/.exec(value);
  const words = address === null ? value : `${address[1]?.replace(/\d+/g, '')}/${address[2] ?? ''}`;
  return words.split(/[-_./,]/).every((word) => /^(?:[A-Za-z]{0,16}|v?\d{1,5})$/.test(word));
}

/** An empty entry of a list is the folder one is in. */
function isThere(path: Bytes): boolean {
  try {
    return path === '' || (path.startsWith('/') && lookThrough(path) !== undefined);
  } catch {
    return false; // closed to us: no variable of ours leads there
  }
}

const NOT_ITS_OWN: readonly RegExp[] = [
  // Of the shell and where it is
  /^(?:PWD|OLDPWD|SHLVL|HOME|USER|USERNAME|LOGNAME|SHELL|MAIL|MAILCHECK|HOST|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|VENDOR|E?UID|E?GID|GROUPS|PPID|SECONDS|RANDOM|LINENO|TTY|TTYIDLE|TMPDIR|TEMP|TMP)$/,
  // Of the terminal and the desktop
  /^(?:TERM|COLOR(?:TERM|FGBG)|COLUMNS$|LINES$|DISPLAY$|WAYLAND|XAUTHORITY$|WINDOW|TMUX|STY$|ZELLIJ|KITTY|ALACRITTY|WEZTERM|ITERM|KONSOLE|GHOSTTY|GNOME|KDE|GDM|GTK|GDK|QT_|XDG_|XMODIFIERS$|DESKTOP|SESSION_MANAGER$|VTE_|VSCODE|WT_|WSL|INSIDE_EMACS$|LS_COLORS$|LSCOLORS$|DIRCOLORS$|CLUTTER_|IM_CONFIG|INPUT_METHOD$)/,
  // Of the login and what started it
  /^(?:SSH_|GPG_|DBUS_|SUDO_|PAM_|KRB5CCNAME$|INVOCATION_ID$|JOURNAL_STREAM$|SYSTEMD_|LISTEN_|NOTIFY_SOCKET$|MANAGERPID$|MEMORY_PRESSURE)/,
  /_(?:SOCK(?:ET)?|PID|TTY|FD)$|SOCK$/,
  // Belay's own, and what packs other variables, secrets among them, into one
  /^(?:BELAY|DIRENV_|MISE_|CLAUDE)/,
  // Code that a shell, the linker or a language runs without being asked
  /^(?:LD_|DYLD_|MALLOC_|GLIBC_|GCONV_|LOCPATH$|BASH|ENV$|SHELLOPTS$|IFS$|CDPATH$|FPATH$|ZDOTDIR$|ZSH|GLOBIGNORE$|PROMPT|PS\d|R?PS\d|RPROMPT|SPROMPT$|HIST|FCEDIT$|POSIXLY_CORRECT$|FIGNORE$|TIMEFMT$|TIMEFORMAT$|TMOUT$|FUNCNEST$|FISH|GIT_|LESS(?:OPEN|CLOSE)$)/,
  /PRELOAD|_OPTIONS$|^(?:NODE_(?:V8_COVERAGE|REPL_EXTERNAL_MODULE)|BUN_.*|PYTHON(?:STARTUP|INSPECT|BREAKPOINT|HOME|USERBASE|WARNINGS|PLATLIBDIR)|PERL5(?:OPT|DB)|RUBYOPT|PHP_INI_SCAN_DIR|PHPRC|MAKEFLAGS|MFLAGS|MAKEFILES|MAKELEVEL)$/,
  /CMD$|INIT(?:_\d+)*$|RC$|HOOKS?$|WRAPPER$|RSH$|^ERL_|PROFILER|^R_PROFILE|^OPENSSL_CONF|^npm_config_(?:script_shell|node_options)$/i,
  // Special in another shell than the one that exported it
  /^(?:path|cdpath|fpath|manpath|mailpath|module_path|psvar|status|pipestatus|argv|prompt|watch|histchars|signals|fignore|aliases|functions|options|commands|parameters|history|historywords|dirstack|version|umask|hostname|zle.*|fish.*|zsh.*)$/,
];
