/* Counts the words of a text. */

unsigned long count(const unsigned char *text, unsigned long length) {
  unsigned long words = 0;
  int is_within = 0;
  for (unsigned long i = 0; i < length; i++) {
    int is_letter = text[i] > ' ';
    words += is_letter && !is_within;
    is_within = is_letter;
  }
  return words;
}
