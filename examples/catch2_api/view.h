/* Shared by the kernel and the host. */
#ifndef VIEW_H
#define VIEW_H

/* The part of the complex plane that an image shows. */
struct View {
  float left, top; /* of the centre of the first pixel */
  float step;      /* from pixel to pixel */
  unsigned int width, height;
  unsigned int limit; /* of iterations */
};

#endif
