// Mistakes, not style. Names that nobody defines are found by the type checker, which knows the browser's.

import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    rules: {
      "array-callback-return": "error",
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-undef": "off",
      "no-unmodified-loop-condition": "error",
      "no-unused-expressions": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true, caughtErrors: "none" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
